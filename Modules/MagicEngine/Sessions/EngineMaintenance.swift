package import MagicSchema

/// Works on the whole database. An engine whose databases have no files refuses to copy them, and finds
/// nothing to report.
package protocol EngineMaintenance: AnyObject, Sendable {
  /// Runs work on the whole database on a thread of its own. Suspends until it is permitted.
  ///
  /// - Throws: what the body throws; `CancellationError` where the task is cancelled.
  func maintaining<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result

  /// Runs work on the whole database on this thread, which blocks until it is permitted.
  @available(*, noasync)
  func maintainingBlocking<Result>(_ body: (CancellationToken) throws -> Result) throws -> Result

  /// Checks the whole database.
  ///
  /// - Parameter limit: how many findings of each kind are reported at most.
  func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport

  /// Repairs the database in a transaction of its own.
  ///
  /// - Returns: what was corrected.
  @available(*, noasync)
  func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport

  /// Copies the database and its assets to a new file.
  func backUp(
    to path: String, allowsMissingAssets: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws
}

/// Migrates tables before their types are used.
package protocol EngineMigrations: AnyObject, Sendable {
  /// Migrates the tables of types, and of all they refer to: all of them or none. What would be done
  /// tells ``EngineReader/migrationPlan(for:)``.
  ///
  /// - Parameter backup: where a copy of the database is put first, if rows are rewritten.
  /// - Returns: what was done.
  func migrating(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan

  /// Like ``migrating(_:backup:progress:)`` on this thread.
  @available(*, noasync)
  func migrateBlocking(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan
}
