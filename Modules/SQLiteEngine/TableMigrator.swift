package import MagicSQLite
package import MagicSchema

/// Fits tables to their types for the engine, which itself creates and reads tables alone. It is
/// asked once per table, never per row.
package protocol TableMigrator: AnyObject {
  /// Renames the tables that types, and all they refer to, have under former names: relationships
  /// are compared by the names of tables.
  func renameTables(
    reachedFrom schemas: [ObjectSchema], in transaction: any MigrationTransaction
  ) throws

  /// Migrates a table that exists under its type's name.
  func migrateTable(of schema: ObjectSchema, in transaction: any MigrationTransaction) throws
}

/// Fits the tables of a store to their types.
package protocol StoreMigrator: TableMigrator, Sendable {
  /// Statements that read an outdated table of a database that is not written.
  ///
  /// - Throws: `MagicError` with `.needsMigration` where the table must be changed to be read.
  func readOnlyStatements(
    of schema: ObjectSchema, on connection: SQLiteConnection
  ) throws -> TypeStatements
}
