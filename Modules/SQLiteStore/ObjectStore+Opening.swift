public import MagicStore

extension ObjectStore {
  /// Opens a database. All handles on the same file in this process share its connections.
  ///
  /// Shared connections keep the options that they were opened with, except that the stronger
  /// ``StoreOptions/Durability`` is used.
  ///
  /// - Throws: `MagicError`. A file that cannot be opened is not changed.
  public static func open(
    _ location: StoreLocation, options: StoreOptions = .init()
  ) throws -> ObjectStore {
    let shared = try SharedStore.open(location, options: options)
    shared.strengthen(options.durability)
    return ObjectStore(shared)
  }

  /// The database of a store that was opened by this module.
  package var shared: SharedStore { unsafeDowncast(database, to: SharedStore.self) }
}
