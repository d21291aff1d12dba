import MagicEngine
package import MagicMigration
package import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Runs a plan that was made in the same transaction.
///
/// A step with the user's code, or a trigger of the user, may change rows of other tables. Then the
/// plan is no longer valid for those tables, and they are planned again when they are used.
package final class PlannedMigrator: TableMigrator {
  private let monitor: MigrationMonitor
  private var renamings: [TableRenaming]
  private var migrations: [TableMigration]
  private var adoptions: TableAdoptions

  package init(_ plan: MigrationPlan, _ monitor: MigrationMonitor, on connection: SQLiteConnection)
    throws
  {
    self.monitor = monitor
    renamings = plan.renamings
    adoptions = plan.adoptions
    let catalogue = Catalogue(connection: connection)
    let hasUserTriggers =
      try plan.tables.count > 1 && catalogue.exists("magic_catalogue")
      && catalogue.hasUserTriggers()
    migrations = hasUserTriggers ? [] : plan.tables
  }

  /// Renames all tables of the plan, also those of types other than `schemas`. The first call has
  /// all types of the plan.
  func renameTables(
    reachedFrom schemas: [ObjectSchema], in transaction: any MigrationTransaction
  ) throws {
    guard !renamings.isEmpty else {
      return try OnDemandMigrator().renameTables(reachedFrom: schemas, in: transaction)
    }
    try renamings.run(in: transaction, ObjectSchema.reached(from: schemas))
    renamings = []
    adoptions.didRename()
  }

  func migrateTable(of schema: ObjectSchema, in transaction: any MigrationTransaction) throws {
    var planner = MigrationPlanner(transaction.connection)
    planner.adoptions = adoptions
    // The statements of an adoption depend on the tables that are adopted already. The migration of an owner's type may have changed the columns of its owned list meanwhile.
    let planned = try migrations.first {
      try $0.schema === schema && !$0.isAdoption
        && $0.owned == planner.catalogue.describe(schema.tableName).owned
    }
    let migration = try planned ?? planner.migration(of: schema)
    try MigrationRunner(schema: schema, transaction: transaction, monitor: monitor).run(migration)
    if migration.runsUserCode { migrations = [] }
  }
}
