import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

/// Searches in the indexes of types. The text of a search becomes SQL when it is bound, and the function
/// `magic_search` runs that.
extension QueryRenderer {
  /// Renders whether a search finds a row.
  mutating func matches(_ type: Int, _ operands: [ExpressionTree]) throws -> SQLTerm {
    guard operands.count == 2, let schema = ObjectSchema.numbered(type) else {
      throw MagicError.malformedQuery
    }
    let row = try term(operands[0])
    let rows = try rows(foundBy: operands[1], schema)
    return SQLTerm.condition("\(row.operand) IN (SELECT id FROM \(rows))", mayBeNull: row.mayBeNull)
  }

  /// Renders the rows that the search of the query finds, as a subquery with the columns `id` and
  /// `score`; also with `z_index` if they represent the rows of the type's table.
  mutating func found(_ text: ExpressionTree, _ query: PreparedQuery) throws -> String {
    let isRow = query.plan.search?.readsOnlyIndex == true
    let rows = try rows(foundBy: text, query.schema)
    foundParameter = position
    return isRow ? "(SELECT id AS \"z_index\", id, score FROM \(rows))" : rows
  }

  /// Renders the rows that a search finds, for a FROM clause.
  private mutating func rows(
    foundBy text: ExpressionTree, _ schema: ObjectSchema
  ) throws -> String {
    guard schema.search != nil, case .value = text else { throw MagicError.malformedQuery }
    let hasTable = try table(schema).name != nil
    let number = try parameter(.search(type: schema.ordinal, isScored: false), .text)
    // Without a table there is no index either.
    return hasTable
      ? "magic_search($\(number), \(schema.tableName.literal))"
      : "(SELECT NULL::bigint AS id, NULL::double precision AS score WHERE $\(number) IS NULL)"
  }

  /// Renders the score of a row.
  mutating func score(in scope: Int) throws -> SQLTerm {
    guard let found = scopes[scope].found else {
      throw MagicError(
        .invalidQuery, "Only a row of a query with matching(_:) has a score.",
        type: scopes[scope].schema.typeName)
    }
    needScores()
    return SQLTerm("\(found.alias).\"score\"", .float8)
  }
}
