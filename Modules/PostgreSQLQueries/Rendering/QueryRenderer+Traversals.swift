import MagicPostgreSQL
import MagicRequests
import MagicSchema

extension QueryRenderer {
  /// Renders the rows that a relationship reaches, as a subquery with the columns `id` and `depth`.
  ///
  /// Without depths, UNION leaves out the rows that were reached before, so cycles end. With depths, a
  /// row that refers to the row before it by a to-one relationship is reached once, unless it is one of
  /// the first rows. Otherwise each step of the recursive query is one row: the depth, the rows that are
  /// reached at this depth and not before, and all rows that were reached so far.
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
    let limit = traversal.isLimited ? " AND \(row).\"depth\" < \(try parameter(.bigint))" : ""
    let others = traversal.includesStart ? "" : " WHERE \"depth\" > 0"
    guard following.rows == nil else {
      return "(WITH RECURSIVE \"magic_start\" AS (\(first)), \"magic_reached\" AS ("
        + "SELECT \"id\", 0::bigint AS \"depth\" FROM \"magic_start\" "
        + "UNION ALL SELECT \"next\".\"id\", \(row).\"depth\" + 1 \(step) "
        + "WHERE \"next\".\"id\" NOT IN (SELECT \"id\" FROM \"magic_start\")\(limit)) "
        + "SELECT \"id\", \"depth\" FROM \"magic_reached\"\(others))"
    }
    let next = try members(of: schema, property, isReversed: isReversed, "= ANY(\(row).\"ids\")")
    return "(WITH RECURSIVE \"magic_reached\" AS ("
      + "SELECT 0::bigint AS \"depth\", array_agg(\"id\") AS \"ids\", array_agg(\"id\") AS \"all\" "
      + "FROM (\(first)) AS \(alias()) "
      + "UNION ALL SELECT \(row).\"depth\" + 1, \"next\".\"ids\", \(row).\"all\" || \"next\".\"ids\" "
      + "FROM \"magic_reached\" AS \(row) CROSS JOIN LATERAL (SELECT array_agg(\"id\") AS \"ids\" "
      + "FROM (SELECT \(next.key) AS \"id\" FROM \(next.source) WHERE \(next.condition) "
      + "EXCEPT SELECT unnest(\(row).\"all\")) AS \(alias())) AS \"next\" "
      + "WHERE \"next\".\"ids\" IS NOT NULL\(limit)) "
      + "SELECT unnest(\"ids\") AS \"id\", \"depth\" FROM \"magic_reached\"\(others))"
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
