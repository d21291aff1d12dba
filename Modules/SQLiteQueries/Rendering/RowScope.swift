import MagicEngine
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// The table and joins of one FROM clause while it is rendered.
struct RowScope {
  /// The identities of the row in the closures of the query.
  let ids: [RowScopeID]
  let schema: ObjectSchema
  let table: QueryTable
  let alias: String
  /// Whether the row is combined with the row before it, and is not the row of a query.
  let isJoined: Bool
  /// The rows that a traversal reaches, to which the rows are restricted; nil if there is none.
  var reached: Reached?
  /// The rows that a search finds, to which the rows are restricted; nil if there is none.
  var found: Reached?
  private(set) var joins: [[Int]: Join] = [:]
  private(set) var joinText = ""

  /// A joined table of a to-one relationship.
  struct Join {
    let schema: ObjectSchema
    let table: QueryTable
    let alias: String
    /// Whether the joined row may be missing.
    let isOptional: Bool
  }

  /// The subquery of a traversal, with the columns `id` and `depth`, or of a search, with `id` and
  /// `score`.
  struct Reached {
    let source: String
    let alias: String
  }

  init(
    ids: [RowScopeID], schema: ObjectSchema, table: QueryTable, alias: String,
    isJoined: Bool = false
  ) {
    self.isJoined = isJoined
    self.ids = ids
    self.schema = schema
    self.table = table
    self.alias = alias
  }

  /// The table of the scope itself, for paths without relationships.
  var root: Join { Join(schema: schema, table: table, alias: alias, isOptional: false) }

  mutating func add(_ join: Join, at steps: [Int], on condition: String) {
    joins[steps] = join
    joinText +=
      " \(join.isOptional ? "LEFT JOIN" : "JOIN") \(join.table.source) AS \(join.alias) "
      + "ON \(condition)"
  }
}

extension QueryTable {
  /// The SQL for a FROM clause; a subquery without rows if the table does not exist.
  var source: String {
    name ?? Self.empty(["\"z_index\""] + columns.filter { $0 != "\"z_index\"" })
  }

  /// Returns a subquery without rows.
  static func empty(_ columns: [String]) -> String {
    "(SELECT \(columns.map { "NULL AS \($0)" }.joined(separator: ", ")) LIMIT 0)"
  }

  /// Returns the SQL for a column of a joined row.
  func column(_ index: Int, of join: RowScope.Join) -> String {
    let column = columns[index]
    if column.hasPrefix("\"") { return "\(join.alias).\(column)" }
    // For a column that is not in the file, `column` is the default. It applies only if the row
    // exists.
    return join.isOptional
      ? "CASE WHEN \(join.alias).\"z_index\" IS NOT NULL THEN \(column) END" : column
  }
}

extension QueryTable.Links {
  /// The SQL for a FROM clause that has the members under the names of ``columns``; a subquery
  /// without rows if the table does not exist.
  var source: String {
    exists
      ? columns.table
      : QueryTable.empty([columns.owner, columns.key, columns.target].compactMap { $0 })
  }

  /// The SQL for a FROM clause that has the members under the names of a join table.
  var joinTable: String {
    let names =
      [
        (columns.owner, "\"owner\""), (columns.target, "\"target\""),
      ] + (columns.key.map { [($0, columns.isOwned ? "\"position\"" : $0)] } ?? [])
    guard exists else {
      return columns.joinType == nil ? QueryTable.empty(names.map(\.1)) : source
    }
    guard columns.isOwned else { return columns.table }
    let selected = names.map { "\($0) AS \($1)" }.joined(separator: ", ")
    return "(SELECT \(selected) FROM main.\(columns.table) WHERE \(columns.owner) IS NOT NULL)"
  }

  /// Whether SQL can use the name of the join table.
  var hasJoinTable: Bool { exists && !columns.isOwned }
}
