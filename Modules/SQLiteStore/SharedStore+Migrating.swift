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
  /// Migrates the tables of types, and of all they refer to: all of them or none. Blocks the thread.
  ///
  /// Where another process has the file locked, it may be doing the same: it is waited for longer
  /// than for other writes.
  ///
  /// - Parameter backup: where a copy of the database is put first, if rows are rewritten.
  /// - Returns: what was to be done.
  @available(*, noasync)
  func migrate(
    _ schemas: [ObjectSchema], backup: String?, _ monitor: MigrationMonitor
  ) throws -> MagicMigrationPlan {
    if backup != nil, makeReader == nil {
      throw MagicError(.invalidOption, "A database in memory has no copy beside it.")
    }
    let end = DispatchTime.now().uptimeNanoseconds + Self.longestWait
    while true {
      do {
        try monitor.check()
        // A lock is not waited for once the store is to be closed.
        guard !lifecycle.isClosed else { throw MagicError.closed() }
        return try write(timeout: Self.portionOfWait, isLarge: true) { transaction in
          try self.migrate(schemas, backup, monitor, in: transaction)
        }
      } catch let error as MagicError where error.code == .busy {
        guard DispatchTime.now().uptimeNanoseconds < end else { throw error }
      }
    }
  }

  /// How long another process is waited for, in nanoseconds: ten minutes.
  private static let longestWait: UInt64 = 600_000_000_000

  /// How long it is waited for between two looks at whether the work is still wanted, in seconds.
  private static let portionOfWait = 0.1

  private func migrate(
    _ schemas: [ObjectSchema], _ backup: String?, _ monitor: MigrationMonitor,
    in transaction: WriteTransaction
  ) throws -> MagicMigrationPlan {
    let connection = transaction.store.connection
    return try connection.heeding(monitor.isCancelled) {
      let plan = try MigrationPlanner(connection).plan(for: schemas)
      let summary = plan.summary
      try summary.throwIfRefused()
      var copy: BackupTarget?
      if let backup, let kind = summary.kind, kind > .additive {
        // The copy is made from what is committed, which cannot change meanwhile.
        copy = try Backup.run(
          of: try self.maintenance, to: backup, allowsMissingAssets: true, monitor.cancellation,
          { _ in })
      }
      do {
        transaction.plannedMigrator = try PlannedMigrator(plan, monitor, on: connection)
        try transaction.updateTables(of: ObjectSchema.reached(from: schemas))
        return summary
      } catch {
        // The database is as it was, and the next try wants the place.
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

  /// Migrates the tables of types on a thread of its own.
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
