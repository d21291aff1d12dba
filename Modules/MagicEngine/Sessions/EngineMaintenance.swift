package import MagicSchema

/// Maintenance of a whole database. An engine whose databases have no files refuses to back them
/// up, reports no findings, and has nothing to compact.
package protocol EngineMaintenance: AnyObject, Sendable {
  /// Runs a maintenance operation on a thread of its own. Suspends until the operation is
  /// permitted.
  ///
  /// - Throws: the errors of the body; `CancellationError` if the task is cancelled.
  func maintaining<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result

  /// Runs a maintenance operation on this thread, which blocks until the operation is permitted.
  @available(*, noasync)
  func maintainingBlocking<Result>(_ body: (CancellationToken) throws -> Result) throws -> Result

  /// Checks the whole database.
  ///
  /// - Parameter limit: the maximum number of findings of each kind in the report.
  func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport

  /// Repairs the database in a transaction of its own.
  ///
  /// - Returns: the corrected faults.
  @available(*, noasync)
  func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport

  /// Gives the database a range of row IDs of its own, in a transaction of its own.
  ///
  /// - Parameter isCopy: whether a database that has such a range gets another one.
  @available(*, noasync)
  func prepareForSharing(isCopy: Bool, _ cancellation: CancellationToken) throws

  /// Copies the database and its assets to a new file.
  ///
  /// - Parameter compacts: whether the copy has no free pages.
  func backUp(
    to path: String, allowsMissingAssets: Bool, compacts: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws

  /// Returns the free space inside the database's file to the file system. After an error the
  /// database contains the same values as before.
  @available(*, noasync)
  func compact(
    _ cancellation: CancellationToken, progress: @escaping (MagicCompactionProgress) -> Void
  ) throws -> MagicCompaction
}

/// Migrates tables before their types are used.
package protocol EngineMigrations: AnyObject, Sendable {
  /// Migrates the tables of types, and of all types that they refer to: all of them or none.
  /// ``EngineReader/migrationPlan(for:)`` returns the same plan without running it.
  ///
  /// - Parameter backup: the path of a backup that is made first if rows are rewritten.
  /// - Returns: the plan that was run.
  func migrating(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan

  /// Runs ``migrating(_:backup:progress:)`` on this thread.
  @available(*, noasync)
  func migrateBlocking(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan
}
