public import MagicData
public import MagicStore

extension MagicData {
  /// Opens a database on the engine that is tested. A thread, a detached task or another process
  /// that a test starts has to set ``TestedEngine/current`` itself, or opens SQLite.
  ///
  /// - Parameter path: The path of the file, on an engine with files. Another engine opens a new,
  ///   empty database.
  public static func onTestedEngine(
    path: String, options: MagicOptions = .init()
  ) async throws -> MagicData {
    try await TestedEngine.current.openMagicData(.file(path), options)
  }

  /// Opens a new, empty database on the engine that is tested.
  public static func onTestedEngine(
    type: Kind, options: MagicOptions = .init()
  ) async throws -> MagicData {
    let location: MagicStoreLocation =
      switch type {
      case .temporary: .temporary
      case .memory: .memory
      }
    return try await TestedEngine.current.openMagicData(location, options)
  }
}

extension MagicData {
  /// Closes the database and opens it again on the engine that is tested. On an engine that cannot
  /// reopen databases, returns this database, still open.
  public func reopened(
    path: String, options: MagicOptions = .init()
  ) async throws -> MagicData {
    guard TestedEngine.current.has(.reopening) else { return self }
    await close()
    return try await .onTestedEngine(path: path, options: options)
  }
}

extension MagicObjectStore {
  /// Opens a database on the engine that is tested.
  ///
  /// - Parameter location: The location, on an engine with files. Another engine opens a new, empty
  ///   database.
  public static func onTestedEngine(
    _ location: MagicStoreLocation, options: MagicOptions = .init()
  ) throws -> MagicObjectStore {
    try TestedEngine.current.openObjectStore(location, options)
  }
}
