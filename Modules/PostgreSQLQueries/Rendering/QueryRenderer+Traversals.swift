import MagicPostgreSQL
import MagicRequests
import MagicSchema

extension QueryRenderer {
  /// Renders the rows that a relationship reaches, as a subquery with the columns `id` and `depth`.
  ///
  /// UNION leaves out the rows that were reached before, so cycles end. A depth of n is the interval of n
  /// months and −30 n days: all of them are equal to the server, which compares a month as 30 days. So
  /// UNION compares only the row IDs, and keeps the smallest depth of each row, because the steps of a
  /// recursive query are levels.
  ///
  /// OFFSET lets the server look up the next rows of each row by an index. For a table without
  /// statistics it would read the whole table in each step.
  mutating func reached(_ traversal: TraversalTree, _ schema: ObjectSchema) throws -> String {
    let table = try table(schema)
    let start = alias()
    scopes.append(RowScope(ids: [traversal.scope], schema: schema, table: table, alias: start))
    let condition = condition(try term(traversal.start)).text
    let joins = scopes.removeLast().joinText
    let first =
      "SELECT \(start).\"z_index\" AS \"id\" FROM \(table.source) AS \(start)\(joins) "
      + "WHERE \(condition)"
    let row = alias()
    let (property, isReversed) = (traversal.relationship.property, traversal.isReversed)
    let following = try members(of: schema, property, isReversed: isReversed, "= \(row).\"id\"")
    let step =
      "FROM \"magic_reached\" AS \(row) CROSS JOIN LATERAL (SELECT \(following.key) AS \"id\" "
      + "FROM \(following.source) WHERE \(following.condition) OFFSET 0) AS \"next\""
    guard traversal.isLimited || computesDepths else {
      let others =
        traversal.includesStart
        ? "" : " WHERE \"id\" NOT IN (SELECT \"id\" FROM \"magic_start\")"
      return "(WITH RECURSIVE \"magic_start\" AS (\(first)), \"magic_reached\" AS ("
        + "SELECT \"id\" FROM \"magic_start\" UNION SELECT \"next\".\"id\" \(step)) "
        + "SELECT \"id\", 0::bigint AS \"depth\" FROM \"magic_reached\"\(others))"
    }
    let limit =
      traversal.isLimited
      ? " WHERE \(Self.number(of: "\(row).\"depth\"")) < \(try parameter(.bigint))" : ""
    let depth = Self.number(of: "\"depth\"")
    let others = traversal.includesStart ? "" : " WHERE \(depth) > 0"
    return "(WITH RECURSIVE \"magic_reached\" AS ("
      + "SELECT \"id\", interval '0' AS \"depth\" FROM (\(first)) AS \(alias()) "
      + "UNION SELECT \"next\".\"id\", \(row).\"depth\" + interval '1 month -30 days' \(step)"
      + "\(limit)) SELECT \"id\", \(depth) AS \"depth\" FROM \"magic_reached\"\(others))"
  }

  /// The number of months of an interval whose days are −30 for each month.
  private static func number(of depth: String) -> String {
    "(extract(day FROM \(depth))::bigint / -30)"
  }

  /// Renders the depth of a row.
  mutating func depth(in scope: Int) throws -> SQLTerm {
    guard let reached = scopes[scope].reached else {
      throw MagicError(
        .invalidQuery, "Only a row of a query with descendants or ancestors has a depth.",
        type: scopes[scope].schema.typeName)
    }
    needsDepths = needsDepths || !computesDepths
    return SQLTerm("\(reached.alias).\"depth\"", .bigint)
  }
}
