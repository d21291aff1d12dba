import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine

extension QueryRenderer {
  /// Renders the rows that a relationship reaches, as a subquery with the columns `id` and `depth`.
  ///
  /// The recursive query visits the rows in the order of their depths, because SQLite's queue of
  /// rows is first in, first out. UNION leaves out a row that equals a previous one. In the collation
  /// `magic_equal` all depths are equal, so UNION compares only the row IDs, and keeps the smallest
  /// depth of each row.
  mutating func reached(_ traversal: TraversalTree, _ schema: ObjectSchema) throws -> String {
    let table = try table(schema)
    let start = alias()
    scopes.append(RowScope(ids: [traversal.scope], schema: schema, table: table, alias: start))
    let condition = try self.condition(traversal.start).text
    let joins = scopes.removeLast().joinText
    let row = alias()
    let next = try members(
      of: schema, traversal.relationship.property, isReversed: traversal.isReversed,
      key: "\(row).\"id\"")
    let limit = traversal.isLimited ? " AND CAST(\(row).\"depth\" AS INTEGER) < \(parameter())" : ""
    let collation = SQLiteConnection.equalCollation
    let rows = traversal.includesStart ? "" : " WHERE CAST(\"depth\" AS INTEGER) > 0"
    return "(WITH RECURSIVE \"magic_reached\" (\"id\", \"depth\") AS ("
      + "SELECT \(start).\"z_index\", '0' COLLATE \(collation) "
      + "FROM \(table.source) AS \(start)\(joins) WHERE \(condition) "
      + "UNION SELECT \(next.key), CAST(\(row).\"depth\" + 1 AS TEXT) "
      + "FROM \"magic_reached\" AS \(row) CROSS JOIN \(next.source) "
      + "ON \(next.condition)\(limit)) "
      + "SELECT \"id\", CAST(\"depth\" AS INTEGER) AS \"depth\" FROM \"magic_reached\"\(rows))"
  }

  /// Renders the FROM clause of the rows of a query or of a subquery, without the joins of to-one
  /// relationships.
  static func source(_ scope: RowScope) -> String {
    // The rows of a search can represent the rows of the table.
    if let found = scope.found, found.alias == scope.alias {
      return "\(found.source) AS \(found.alias)"
    }
    var rows = ""
    var previous: RowScope.Reached?
    for part in [scope.found, scope.reached].compactMap({ $0 }) {
      rows += "\(part.source) AS \(part.alias) "
      if let previous { rows += "ON \(part.alias).\"id\" = \(previous.alias).\"id\" " }
      rows += "CROSS JOIN "
      previous = part
    }
    rows += "\(scope.table.source) AS \(scope.alias)"
    guard let last = previous else { return rows }
    return rows + " ON \(scope.alias).\"z_index\" = \(last.alias).\"id\""
  }

  /// Renders the depth of a row.
  func depth(in scope: Int) throws -> SQLTerm {
    guard let reached = scopes[scope].reached else {
      throw MagicError(
        .invalidQuery, "Only a row of a query with descendants or ancestors has a depth.",
        type: scopes[scope].schema.typeName)
    }
    return SQLTerm("\(reached.alias).\"depth\"")
  }
}
