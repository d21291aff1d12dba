import MagicEngine
import MagicSchema
import SQLiteEngine

extension QueryRenderer {
  /// Renders a function of the rows of a subquery.
  mutating func subquery(
    _ function: MemberFunction, _ query: Subquery, _ operand: ExpressionTree?
  ) throws -> SQLTerm {
    let operand = try operand.map { try term($0) }
    let table = try table(query.schema)
    let alias = alias()
    scopes.append(RowScope(ids: query.rowScopes, schema: query.schema, table: table, alias: alias))
    defer { scopes.removeLast() }
    let selected = try query.selection.map { try term($0).value } ?? SQLTerm("1")
    let condition = try query.filter.map { " WHERE \(try term($0).text)" } ?? ""
    let order = try order(query, alias)
    let joins = scopes[scopes.count - 1].joinText
    let tail = "FROM \(table.source) AS \(alias)\(joins)\(condition)\(order)"
    switch function {
    case .exists: return SQLTerm("EXISTS (SELECT 1 \(tail))")
    case .count where query.hasLimitOrOffset:
      return SQLTerm("(SELECT count(*) FROM (SELECT 1 \(tail)))")
    case .count: return SQLTerm("(SELECT count(*) \(tail))")
    case .includes:
      guard let operand else { throw MagicError.malformedQuery }
      return SQLTerm(
        "\(operand.operand) IN (SELECT \(selected.text) \(tail))", .comparison,
        mayBeNull: operand.mayBeNull || selected.mayBeNull)
    case .first: return SQLTerm("(SELECT \(selected.text) \(tail))", mayBeNull: true)
    case .sum, .minimum, .maximum, .average:
      guard let aggregate = function.aggregate else { throw MagicError.malformedQuery }
      // An aggregate of columns of an outer query only would be an aggregate of the outer query.
      let isDirect = query.selection?.ownColumn != nil && !query.hasLimitOrOffset
      let result = Self.aggregate(aggregate, of: isDirect ? selected.text : "\"value\"")
      let rows = isDirect ? tail : "FROM (SELECT \(selected.text) AS \"value\" \(tail))"
      return SQLTerm("(SELECT \(result.text) \(rows))", mayBeNull: result.mayBeNull)
    }
  }

  /// Renders the sort order and the limit of a subquery.
  private mutating func order(_ query: Subquery, _ alias: String) throws -> String {
    guard query.hasLimitOrOffset else { return "" }
    var orders: [String] = []
    for order in query.orders {
      orders.append(try term(order.tree).value.text + (order.isDescending ? " DESC" : ""))
    }
    if query.isRandom { orders = ["random()"] }
    let order = (orders + ["\(alias).\"z_index\""]).joined(separator: ", ")
    let limit = query.hasLimit ? parameter() : "-1"
    let offset = query.hasOffset ? " OFFSET \(parameter())" : ""
    return " ORDER BY \(order) LIMIT \(limit)\(offset)"
  }
}
