public import MagicStore

extension MagicObjectStore {
  /// Opens a database. All handles on the same file in this process share its connections.
  ///
  /// Shared connections keep the options that they were opened with, except that the stronger
  /// ``MagicOptions/Durability`` is used.
  ///
  /// - Throws: `MagicError`. A file that cannot be opened is not changed.
  public static func open(
    _ location: MagicStoreLocation, options: MagicOptions = .init()
  ) throws -> MagicObjectStore {
    let shared = try SharedStore.open(location, options: options)
    shared.strengthen(options.durability)
    return MagicObjectStore(shared)
  }

  /// The database of a store that was opened by this module.
  package var shared: SharedStore { unsafeDowncast(database, to: SharedStore.self) }
}
