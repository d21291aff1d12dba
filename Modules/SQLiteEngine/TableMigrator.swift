package import MagicSQLite
package import MagicSchema

/// Migrates tables for the engine, which itself only creates and reads tables. The methods are
/// called once for each table, never for each row.
package protocol TableMigrator: AnyObject {
  /// Renames tables that have a former name of their type, for types and all types that they refer
  /// to. Relationships are compared by table names.
  func renameTables(
    reachedFrom schemas: [ObjectSchema], in transaction: any MigrationTransaction
  ) throws

  /// Migrates a table that has its type's current name.
  func migrateTable(of schema: ObjectSchema, in transaction: any MigrationTransaction) throws
}

/// Migrates the tables of a database.
package protocol StoreMigrator: TableMigrator, Sendable {
  /// Returns statements that read an outdated table of a read-only database.
  ///
  /// - Throws: `MagicError` with `.needsMigration` if the table cannot be read without a migration.
  func readOnlyStatements(
    of schema: ObjectSchema, on connection: SQLiteConnection
  ) throws -> TypeStatements
}
