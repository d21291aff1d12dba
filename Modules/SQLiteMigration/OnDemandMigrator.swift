import MagicEngine
import MagicMigration
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Migrates each table when a transaction first uses it.
package final class OnDemandMigrator: StoreMigrator {
  package init() {}

  func renameTables(
    reachedFrom schemas: [ObjectSchema], in transaction: any MigrationTransaction
  ) throws {
    let reached = try ObjectSchema.reached(from: schemas)
    let catalogue = Catalogue(connection: transaction.connection)
    try TableRenaming.all(of: reached, catalogue).run(in: transaction, reached)
  }

  func migrateTable(of schema: ObjectSchema, in transaction: any MigrationTransaction) throws {
    let planner = MigrationPlanner(transaction.connection)
    try MigrationRunner(schema: schema, transaction: transaction, monitor: MigrationMonitor())
      .run(planner.migration(of: schema))
  }

  func readOnlyStatements(
    of schema: ObjectSchema, on connection: SQLiteConnection
  ) throws -> TypeStatements {
    try ReadOnlyProjection(of: schema, MigrationPlanner(connection)).statements()
  }
}
