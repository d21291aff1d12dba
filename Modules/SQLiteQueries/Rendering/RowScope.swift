import MagicEngine
import MagicSchema
import SQLiteEngine

/// The rows of one FROM clause while it is rendered.
struct RowScope {
  let id: RowScopeID
  let schema: ObjectSchema
  let table: QueryTable
  let alias: String
  private(set) var joins: [[Int]: Join] = [:]
  private(set) var joinText = ""

  /// A table that a to-one refers to.
  struct Join {
    let schema: ObjectSchema
    let table: QueryTable
    let alias: String
    /// Whether there may be no row.
    let isOptional: Bool
  }

  init(id: RowScopeID, schema: ObjectSchema, table: QueryTable, alias: String) {
    self.id = id
    self.schema = schema
    self.table = table
    self.alias = alias
  }

  /// The rows themselves, without a relationship on the path.
  var root: Join { Join(schema: schema, table: table, alias: alias, isOptional: false) }

  mutating func add(_ join: Join, at steps: [Int], on condition: String) {
    joins[steps] = join
    joinText +=
      " \(join.isOptional ? "LEFT JOIN" : "JOIN") \(join.table.source) AS \(join.alias) "
      + "ON \(condition)"
  }
}

extension QueryTable {
  /// What stands in a FROM clause; no row for a table that is not there.
  var source: String { name ?? Self.empty(["\"z_index\""] + columns) }

  /// A relation without rows.
  static func empty(_ columns: [String]) -> String {
    "(SELECT \(columns.map { "NULL AS \($0)" }.joined(separator: ", ")) LIMIT 0)"
  }

  /// A column of a row under an alias.
  func column(_ index: Int, of join: RowScope.Join) -> String {
    let column = columns[index]
    if column.hasPrefix("\"") { return "\(join.alias).\(column)" }
    // A default stands in for a column that the file has not, where there is a row.
    return join.isOptional
      ? "CASE WHEN \(join.alias).\"z_index\" IS NOT NULL THEN \(column) END" : column
  }
}

extension QueryTable.Links {
  /// What stands in a FROM clause; no row for a table that is not there.
  var source: String { name ?? QueryTable.empty(columns) }
}
