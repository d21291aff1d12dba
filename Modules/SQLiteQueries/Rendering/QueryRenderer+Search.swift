import MagicEngine
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Searches in the full-text tables of types.
extension QueryRenderer {
  /// Renders whether a search finds a row.
  mutating func matches(_ type: Int, _ operands: [ExpressionTree]) throws -> SQLTerm {
    guard operands.count == 2, let schema = ObjectSchema.numbered(type) else {
      throw MagicError.malformedQuery
    }
    let (row, text) = (try term(operands[0]), try term(operands[1]).text)
    let index = SearchTable.name(ofTable: schema.tableName).quoted
    // Without a table there is no index either.
    let rows =
      try table(schema).name == nil
      ? "SELECT NULL WHERE \(text) IS NULL"
      : "SELECT \"rowid\" FROM \(index) WHERE \(index) MATCH \(text)"
    return SQLTerm("\(row.operand) IN (\(rows))", .comparison, mayBeNull: row.mayBeNull)
  }

  /// Renders the rows that the search of the query finds, as a subquery with the columns `id` and
  /// `score`; also with `z_index` if they represent the rows of the type's table.
  ///
  /// SQLite computes a score only while it reads the index. So the rows of a query with aggregates,
  /// groups or distinct rows are found as a whole: SQLite does not merge a subquery with a limit
  /// into a statement with a join.
  mutating func found(_ text: ExpressionTree, _ query: PreparedQuery) throws -> String {
    let schema = query.schema
    guard let search = schema.search else { throw MagicError.malformedQuery }
    let text = try term(text).text
    let isRow = query.plan.search?.readsOnlyIndex == true
    // Without a table there is no index either.
    if try table(schema).name == nil {
      let row = isRow ? "NULL AS \"z_index\", " : ""
      return "(SELECT \(row)NULL AS \"id\", NULL AS \"score\" WHERE \(text) IS NULL)"
    }
    let row = isRow ? "\"rowid\" AS \"z_index\", " : ""
    let isWhole =
      query.result == .aggregates || !query.plan.groups.isEmpty || query.plan.isDistinct
    let index = SearchTable.name(ofTable: schema.tableName).quoted
    let weights = search.columns.map { "\($0.weight)" }.joined(separator: ", ")
    return "(SELECT \(row)\"rowid\" AS \"id\", -bm25(\(index), \(weights)) AS \"score\" "
      + "FROM \(index) WHERE \(index) MATCH \(text)\(isWhole ? " LIMIT -1" : ""))"
  }

  /// Renders the score of a row.
  func score(in scope: Int) throws -> SQLTerm {
    guard let found = scopes[scope].found else {
      throw MagicError(
        .invalidQuery, "Only a row of a query with matching(_:) has a score.",
        type: scopes[scope].schema.typeName)
    }
    return SQLTerm("\(found.alias).\"score\"")
  }
}
