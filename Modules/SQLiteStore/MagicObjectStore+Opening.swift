public import MagicStore

extension MagicObjectStore {
  /// Opens a database. What is open on the same file in this process shares its connections.
  ///
  /// Shared connections keep the options they were opened with, but the stronger
  /// ``MagicOptions/Durability`` holds.
  ///
  /// - Throws: `MagicError`. A file that cannot be opened is left as it was.
  public static func open(
    _ location: MagicStoreLocation, options: MagicOptions = .init()
  ) throws -> MagicObjectStore {
    let shared = try SharedStore.open(location, options: options)
    shared.strengthen(options.durability)
    return MagicObjectStore(shared)
  }

  /// The database of a store that was opened here.
  package var shared: SharedStore { unsafeDowncast(database, to: SharedStore.self) }
}
