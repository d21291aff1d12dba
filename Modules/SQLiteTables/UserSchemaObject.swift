package import MagicSQLite
import MagicSchema

/// An index or a trigger on a type's table that the library did not create.
package struct UserSchemaObject {
  package let name: String
  package let sql: String
}

extension Catalogue {
  /// Returns the indexes and triggers on a table, without the library's indexes. The caller
  /// distinguishes the library's triggers by their names.
  package func schemaObjects(on table: String) throws(SQLiteError) -> [UserSchemaObject] {
    let prefix = IndexSchema.prefix(ofTable: table)
    let statement = try connection.prepare(
      """
      SELECT name, sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE \
      AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
      """)
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var objects: [UserSchemaObject] = []
    while try statement.step() {
      let name = statement.column(0).text
      guard !name.hasPrefix(prefix) else { continue }
      objects.append(UserSchemaObject(name: name, sql: statement.column(1).text))
    }
    return objects
  }
}
