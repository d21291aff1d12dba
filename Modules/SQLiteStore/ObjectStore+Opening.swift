public import MagicStore

extension ObjectStore {
  /// Opens a database. What is open on the same file in this process shares its connections.
  ///
  /// Shared connections keep the options they were opened with, but the stronger
  /// ``StoreOptions/Durability`` holds.
  ///
  /// - Throws: `MagicError`. A file that cannot be opened is left as it was.
  public static func open(
    _ location: StoreLocation, options: StoreOptions = .init()
  ) throws -> ObjectStore {
    let shared = try SharedStore.open(location, options: options)
    shared.strengthen(options.durability)
    return ObjectStore(shared)
  }

  /// The database of a store that was opened here.
  package var shared: SharedStore { unsafeDowncast(database, to: SharedStore.self) }
}
