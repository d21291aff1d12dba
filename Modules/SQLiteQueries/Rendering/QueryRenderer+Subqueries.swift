import MagicEngine
import MagicSchema
import SQLiteEngine

extension QueryRenderer {
  /// Renders a function of the rows of a subquery.
  mutating func subquery(
    _ function: MemberFunction, _ query: Subquery, _ operand: ExpressionTree?
  ) throws -> SQLTerm {
    let operand = try operand.map { try term($0) }
    if let partition = query.partition {
      guard function == .includes, let operand else { throw MagicError.malformedQuery }
      return SQLTerm(
        "\(operand.operand) IN (\(try top(query, partition)))", .comparison,
        mayBeNull: operand.mayBeNull)
    }
    return try inRows(of: query) { renderer, scope in
      try renderer.subquery(function, query, operand, in: scope)
    }
  }

  private mutating func subquery(
    _ function: MemberFunction, _ query: Subquery, _ operand: SQLTerm?, in scope: RowScope
  ) throws -> SQLTerm {
    let selected = try query.selection.map { try term($0).value } ?? SQLTerm("1")
    let condition = try query.filter.map { " WHERE \(try self.condition($0).text)" } ?? ""
    let order = try order(query, scope.alias)
    let joins = scopes[scopes.count - 1].joinText
    let tail = "FROM \(Self.source(scope))\(joins)\(condition)\(order)"
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
    case .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
      guard let aggregate = function.aggregate else { throw MagicError.malformedQuery }
      // An aggregate of columns of an outer query only would be an aggregate of the outer query.
      let isDirect = query.selection?.ownColumn != nil && !query.hasLimitOrOffset
      let result = Self.aggregate(
        aggregate, of: isDirect ? selected.text : "\"value\"",
        isReal: query.selection.map(isReal) ?? false)
      let rows = isDirect ? tail : "FROM (SELECT \(selected.text) AS \"value\" \(tail))"
      return SQLTerm("(SELECT \(result.text) \(rows))", mayBeNull: result.mayBeNull)
    }
  }

  /// Renders a part of a subquery, whose row is the innermost one. The outer scopes keep the joins for
  /// paths of outer rows in the subquery.
  mutating func inRows<Result>(
    of query: Subquery, _ body: (inout QueryRenderer, RowScope) throws -> Result
  ) throws -> Result {
    let table = try table(query.schema)
    var scope = RowScope(
      ids: query.rowScopes, schema: query.schema, table: table, alias: alias())
    scope.reached = try query.traversal.map {
      RowScope.Reached(source: try reached($0, query.schema), alias: alias())
    }
    let (outer, elements) = (scopes, joinedElements)
    defer {
      scopes = query.isRoot ? outer : scopes.dropLast()
      joinedElements = elements
    }
    if query.isRoot { (scopes, joinedElements) = ([], nil) }
    scopes.append(scope)
    return try body(&self, scope)
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
