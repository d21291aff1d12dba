import MagicEngine

// Work on a whole database is a function of its engine and of a token that cancels it. It runs on a
// thread of its own, or on the caller's.

extension MagicObjectStore {
  /// Runs work on the whole database without blocking a thread of the cooperative pool.
  func maintaining<Result: Sendable>(
    _ work: @escaping @Sendable (any EngineDatabase, CancellationToken) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    return try await database.maintaining { [database] in try work(database, $0) }
  }

  /// Runs work on the whole database on this thread.
  @available(*, noasync)
  func maintainingBlocking<Result>(
    _ work: (any EngineDatabase, CancellationToken) throws -> Result
  ) throws -> Result {
    try checkOpen()
    return try database.maintainingBlocking { try work(database, $0) }
  }
}
