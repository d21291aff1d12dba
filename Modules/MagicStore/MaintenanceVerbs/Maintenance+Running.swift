import MagicSchema
import SQLiteMaintenance

// Work on a whole database is a function of its store and of a token that cancels it. It runs on a
// thread of its own, or on the caller's.

extension ObjectStore {
  /// Runs work on the whole database without blocking a thread of the cooperative pool.
  func maintaining<Result: Sendable>(
    _ work: @escaping @Sendable (SharedStore, CancellationToken) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    return try await shared.maintaining { [shared] in try work(shared, $0) }
  }

  /// Runs work on the whole database on this thread.
  @available(*, noasync)
  func maintainingBlocking<Result>(
    _ work: (SharedStore, CancellationToken) throws -> Result
  ) throws -> Result {
    try checkOpen()
    return try shared.maintainingBlocking { try work(shared, $0) }
  }
}

extension SharedStore {
  /// Checks the whole database.
  func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    try Verification.run(of: try maintenance, limit: max(1, limit), cancellation)
  }

  /// Repairs the database in a transaction of its own.
  @available(*, noasync)
  func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    try write(timeout: busyTimeout, isLarge: true) {
      try Repair.run(in: $0, limit: max(1, limit), cancellation)
    }
  }

  /// Copies the database and its assets to a new file.
  func backUp(
    to path: String, allowsMissingAssets: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws {
    _ = try Backup.run(
      of: try maintenance, to: path, allowsMissingAssets: allowsMissingAssets, cancellation,
      progress)
  }
}
