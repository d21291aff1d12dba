package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLTables

/// Migrations that callers start, and those of other processes.
extension PostgreSQLDatabase {
  package func migrating(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan {
    try checkBackup(backup)
    return try await writingAlone(migrationMode) {
      try Self.migrate(schemas, in: $0, progress)
    }
  }

  @available(*, noasync)
  package func migrateBlocking(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan {
    try checkBackup(backup)
    return try writeBlocking(migrationMode) { try Self.migrate(schemas, in: $0, progress) }
  }

  /// The mode of transactions that change tables.
  var migrationMode: WriteMode {
    .migration(timeout: max(1, Int(context.migrationTimeout * 1_000)))
  }

  private func checkBackup(_ path: String?) throws {
    guard path == nil else {
      throw MagicError(
        .invalidOption,
        "A database of PostgreSQL has no file to copy. Use pg_dump before the migration.")
    }
  }

  /// Migrates tables in a transaction, which holds the lock of all writers: one process of several
  /// migrates, and the others find migrated tables.
  private static func migrate(
    _ schemas: [ObjectSchema], in transaction: any EngineTransaction,
    _ progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan {
    guard let transaction = transaction as? PostgreSQLTransaction,
      let migrator = transaction.session.migrator
    else { throw MagicError.unsupported("migrations that are planned") }
    let session = transaction.session
    let plan = try migrator.plan(for: ObjectSchema.reached(from: schemas), in: session)
    try plan.throwIfRefused()
    guard !plan.isEmpty else { return plan }
    try TableUpdate(session: session, progress: progress).update(schemas)
    return plan
  }

  /// Runs a body on a connection that is opened for it, outside of a transaction. Blocks the thread,
  /// until the task that runs on it is cancelled.
  package func withOwnSession<Result>(_ body: (EngineSession) throws -> Result) throws -> Result {
    let connection = try Self.connect(settings, context)
    defer { connection.close() }
    let cancellation = StatementCancellation { Task.isCancelled }
    defer { _ = cancellation.end() }
    connection.attach(cancellation)
    return try Self.translatingCancellation {
      try body(EngineSession(connection, context, migrator))
    }
  }

  /// Learns of migrations of other processes, once in a second at most: each check is a round trip.
  func checkMigrations(_ session: EngineSession) throws {
    guard session.needsMigrationCheck else { return }
    let result = try translatingErrors {
      try session.connection.execute(Catalogue.selectMigrations)
    }
    if result.count > 0 { session.note(migrations: result.text(0, 0)) }
  }
}

extension MagicError {
  /// Whether the server has refused a statement because a table has other columns than expected.
  var isCausedByMigration: Bool {
    guard let error = cause as? PostgreSQLError, error.kind == .refused else { return false }
    // An undefined column or table, or a prepared statement whose columns have changed.
    return ["42703", "42P01", "0A000", "42804", "42883"].contains(error.sqlState)
  }
}
