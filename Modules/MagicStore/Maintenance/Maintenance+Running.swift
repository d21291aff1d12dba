import MagicEngine

// The parameters of a maintenance operation are the engine's database and a cancellation token. The
// operation runs on a thread of its own, or on the caller's thread.

extension MagicObjectStore {
  /// Runs a maintenance operation without blocking a thread of the cooperative pool.
  func maintaining<Result: Sendable>(
    _ work: @escaping @Sendable (any EngineDatabase, CancellationToken) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    return try await database.maintaining { [database] in try work(database, $0) }
  }

  /// Runs a maintenance operation on this thread.
  @available(*, noasync)
  func maintainingBlocking<Result>(
    _ work: (any EngineDatabase, CancellationToken) throws -> Result
  ) throws -> Result {
    try checkOpen()
    return try database.maintainingBlocking { try work(database, $0) }
  }
}
