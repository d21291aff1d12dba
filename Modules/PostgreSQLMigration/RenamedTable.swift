import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLSearch
import PostgreSQLTables

/// A table whose type has another table name now.
struct RenamedTable {
  let schema: ObjectSchema
  let old: String
  let sql: [String]

  var step: MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, kind: .additive,
      summary: "the table \(old) is renamed to \(schema.tableName)", sql: sql)
  }

  /// Returns the renamings that types need, ordered so that each new name is unused when its
  /// renaming runs.
  static func all(of schemas: [ObjectSchema], _ session: EngineSession) throws -> [RenamedTable] {
    guard schemas.contains(where: { !$0.formerTableNames.isEmpty }) else { return [] }
    var tables = try Catalogue.tables(on: session.connection)
    var renamed: [RenamedTable] = []
    func former(_ schema: ObjectSchema) -> String? {
      FormerTable.of(
        schema, among: tables, taken: renamed.map(\.schema.tableName), session.context.owners)
    }
    while let next = schemas.first(where: { former($0) != nil }), let old = former(next) {
      renamed.append(try RenamedTable(next, from: old, StoredRows(session: session)))
      tables[next.tableName] = tables.removeValue(forKey: old)
    }
    return renamed
  }

  private init(_ schema: ObjectSchema, from old: String, _ rows: StoredRows) throws {
    self.schema = schema
    self.old = old
    let new = schema.tableName
    let table = try StoredTable(new, storedAs: old, rows)
    var sql = ["ALTER TABLE \(old.quoted) RENAME TO \(new.quoted)"]
    let search = SearchNames(table: old)
    if try search.definition(on: rows.session.connection) != nil {
      sql += search.drop(ofTable: new)
    }
    let key = try rows.execute(
      "SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(\(old.quoted.literal)) "
        + "AND contype = 'p'")
    if key.count > 0 {
      sql.append(
        "ALTER TABLE \(new.quoted) RENAME CONSTRAINT \(key.text(0, 0).quoted) "
          + "TO \("\(new)_pkey".quoted)")
    }
    sql += [TableDefinition.sequence, TableDefinition.primaries].map { name in
      "ALTER SEQUENCE IF EXISTS \(name(old).quoted) RENAME TO \(name(new).quoted)"
    }
    for index in table.indexes {
      let name = TableDefinition.index(index.columns, of: new, isUnique: index.isUnique)
      sql.append("ALTER INDEX \(index.name.quoted) RENAME TO \(name.quoted)")
    }
    for column in table.columns {
      if column.reference != nil {
        let names = [old, new].map { TableDefinition.foreignKey(column.name, of: $0).quoted }
        sql.append("ALTER TABLE \(new.quoted) RENAME CONSTRAINT \(names[0]) TO \(names[1])")
      }
      if column.isFile {
        let names = [old, new].map { TableDefinition.assetTrigger(column.name, of: $0).quoted }
        sql.append("ALTER TRIGGER \(names[0]) ON \(new.quoted) RENAME TO \(names[1])")
      }
    }
    for collection in table.collections {
      let joinTable = JoinTableName.name(owner: new, property: collection.name)
      sql += TypePlanner.rename(joinTable: collection.joinTable, to: joinTable)
      sql.append(
        "UPDATE magic_relationships SET join_table = \(joinTable.literal) "
          + "WHERE join_table = \(collection.joinTable.literal)")
    }
    // Only a database that was copied from a file has the first table.
    let hasOrigins = try rows.execute("SELECT to_regclass('magic_origins') IS NOT NULL")
    let descriptions = (hasOrigins.text(0, 0) == "t" ? ["magic_origins"] : []) + ["magic_columns"]
    // A table that was dropped on the server may have had the new name.
    sql += descriptions.map { "DELETE FROM \($0) WHERE table_name = \(new.literal)" }
    for (table, column) in [
      ("magic_types", "table_name"), ("magic_relationships", "owner"),
      ("magic_relationships", "target"),
    ] + descriptions.map({ ($0, "table_name") }) {
      sql.append(
        "UPDATE \(table) SET \(column) = \(new.literal) WHERE \(column) = \(old.literal)")
    }
    self.sql = sql
  }
}
