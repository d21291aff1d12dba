import Dispatch
package import MagicEngine
import MagicMigration
import MagicSQLite
package import MagicSchema
import SQLiteEngine
import SQLiteMaintenance
import SQLiteMigration
import SQLiteTables

extension SharedStore {
  /// Migrates the tables of types and of all types that they refer to, in one transaction. Blocks
  /// the thread.
  ///
  /// Another process that has the file locked may be running the same migration, so this function
  /// waits longer than other writes.
  ///
  /// - Parameter backup: the path of a backup that is made first if rows are rewritten.
  /// - Returns: the plan of the migration.
  @available(*, noasync)
  func migrate(
    _ schemas: [ObjectSchema], backup: String?, _ monitor: MigrationMonitor
  ) throws -> MagicMigrationPlan {
    if backup != nil, makeReader == nil {
      throw MagicError(
        .invalidOption, "A database in memory cannot be backed up before a migration.")
    }
    let end = DispatchTime.now().uptimeNanoseconds + Self.longestWait
    while true {
      do {
        try monitor.check()
        // A closed store no longer waits for a lock.
        guard !lifecycle.isClosed else { throw MagicError.closed() }
        return try write(timeout: Self.lockTimeout, isLarge: true) { transaction in
          try self.migrate(schemas, backup, monitor, in: transaction)
        }
      } catch let error as MagicError where error.code == .busy {
        guard DispatchTime.now().uptimeNanoseconds < end else { throw error }
      }
    }
  }

  /// How long to wait for another process in total, in nanoseconds: ten minutes.
  private static let longestWait: UInt64 = 600_000_000_000

  /// How long to wait for the lock before the migration checks whether it was cancelled, in
  /// seconds.
  private static let lockTimeout = 0.1

  private func migrate(
    _ schemas: [ObjectSchema], _ backup: String?, _ monitor: MigrationMonitor,
    in transaction: WriteTransaction
  ) throws -> MagicMigrationPlan {
    let connection = transaction.store.connection
    return try connection.withCancellationCheck(monitor.isCancelled) {
      let plan = try MigrationPlanner(connection).plan(for: schemas)
      let summary = plan.summary
      try summary.throwIfRefused()
      var copy: BackupTarget?
      if let backup, let kind = summary.kind, kind > .additive {
        // The backup is made from the committed state, which cannot change meanwhile.
        copy = try Backup.run(
          of: try self.maintenance, to: backup, allowsMissingAssets: true, compacts: false,
          monitor.cancellation, { _ in })
      }
      do {
        transaction.plannedMigrator = try PlannedMigrator(plan, monitor, on: connection)
        try transaction.updateTables(of: ObjectSchema.reached(from: schemas))
        return summary
      } catch {
        // The database is unchanged, and the next attempt needs the path of the backup.
        copy?.discard()
        throw error
      }
    }
  }

  /// Migrates the tables of types on this thread.
  @available(*, noasync)
  package func migrateBlocking(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan {
    try maintainingBlocking { cancellation in
      try self.migrate(
        schemas, backup: backup, MigrationMonitor(cancellation: cancellation, progress: progress))
    }
  }

  /// Migrates the tables of types on a separate thread.
  package func migrating(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan {
    try await maintaining(in: migrationPermits) { cancellation in
      try self.migrate(
        schemas, backup: backup, MigrationMonitor(cancellation: cancellation, progress: progress))
    }
  }
}
