import MagicMigration
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

extension [TableRenaming] {
  /// Renames tables that have former names.
  ///
  /// - Parameter reached: the types of the renamings, and all types that they refer to.
  func run(in transaction: any MigrationTransaction, _ reached: [ObjectSchema]) throws {
    guard !isEmpty else { return }
    let catalogue = Catalogue(connection: transaction.connection)
    try catalogue.create()
    for renaming in self {
      try catalogue.checkNames(of: renaming.schema)
      if let owner = transaction.owner(ofTable: renaming.old), owner !== renaming.schema,
        !reached.contains(where: { $0 === owner })
      {
        throw MagicError(
          .tableConflict,
          "Table \(renaming.old) cannot be renamed for \(renaming.schema.qualifiedName): it is "
            + "the table of \(owner.qualifiedName).", type: renaming.schema.typeName)
      }
      try transaction.willAlter(
        tables: [renaming.schema.tableName, renaming.old] + renaming.memberTables)
      for statement in renaming.operation.step.sql {
        try transaction.connection.execute(statement)
      }
    }
  }
}
