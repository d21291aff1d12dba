package import MagicMigration
package import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Runs a plan that was made in the same transaction.
///
/// A table that the plan does not hold for any more is planned when it is met: rows of other tables
/// are changed where a step runs code of the user's, and by triggers of the user's.
package final class PlannedMigrator: TableMigrator {
  private let watch: MigrationWatch
  private var renamings: [TableRenaming]
  private var migrations: [TableMigration]

  package init(_ plan: MigrationPlan, _ watch: MigrationWatch, on connection: SQLiteConnection)
    throws
  {
    self.watch = watch
    renamings = plan.renamings
    let catalogue = Catalogue(connection: connection)
    let hasUserTriggers =
      try plan.tables.count > 1 && catalogue.exists("magic_catalogue")
      && catalogue.hasUserTriggers()
    migrations = hasUserTriggers ? [] : plan.tables
  }

  /// Renames all tables of the plan, whichever of its types are named. Called first with all of them.
  func renameTables(
    reachedFrom schemas: [ObjectSchema], in transaction: any MigrationTransaction
  ) throws {
    guard !renamings.isEmpty else {
      return try OnDemandMigrator().renameTables(reachedFrom: schemas, in: transaction)
    }
    try renamings.run(in: transaction, ObjectSchema.reached(from: schemas))
    renamings = []
  }

  func migrateTable(of schema: ObjectSchema, in transaction: any MigrationTransaction) throws {
    let planned = migrations.first { $0.schema === schema }
    let migration =
      try planned ?? MigrationPlanner(transaction.connection).migration(of: schema)
    try MigrationRunner(schema: schema, transaction: transaction, watch: watch).run(migration)
    if migration.runsUserCode { migrations = [] }
  }
}
