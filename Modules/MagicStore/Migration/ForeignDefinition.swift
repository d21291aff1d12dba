import MagicSQLite
import MagicSchema

/// An index or a trigger on a type's table that others have made.
struct ForeignDefinition {
  let name: String
  let sql: String

  /// - Parameter triggers: those that are not meant.
  static func all(
    on table: String, except triggers: Set<String>, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> [ForeignDefinition] {
    let prefix = IndexSchema.prefix(ofTable: table)
    let statement = try connection.prepare(
      """
      SELECT name, sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE \
      AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
      """)
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var others: [ForeignDefinition] = []
    while try statement.step() {
      let name = statement.column(0).text
      guard !triggers.contains(name), !name.hasPrefix(prefix) else { continue }
      others.append(ForeignDefinition(name: name, sql: statement.column(1).text))
    }
    return others
  }
}
