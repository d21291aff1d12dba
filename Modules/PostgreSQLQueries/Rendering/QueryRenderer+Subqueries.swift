import MagicPostgreSQL
import MagicRequests
import MagicSchema

extension QueryRenderer {
  /// Renders a function of the rows of a subquery.
  mutating func subquery(
    _ function: MemberFunction, _ query: Subquery, _ operand: ExpressionTree?
  ) throws -> SQLTerm {
    let operand = try operand.map { try term($0) }
    if let partition = query.partition {
      guard function == .includes, let operand else { throw MagicError.malformedQuery }
      let (rows, selected) = try top(query, partition)
      return membership(of: operand, selected) { "SELECT \($0) FROM (\(rows)) AS t" }
    }
    return try inRows(of: query) { renderer in
      try renderer.rows(function, query, operand)
    }
  }

  private mutating func rows(
    _ function: MemberFunction, _ query: Subquery, _ operand: SQLTerm?
  ) throws -> SQLTerm {
    let selected = try query.selection.map { typed(try term($0)) } ?? SQLTerm("1", .bigint)
    let filter = try query.filter.map { " WHERE \(condition(try term($0)).text)" } ?? ""
    let order = try order(query)
    let tail = "FROM \(scopes[scopes.count - 1].sourceWithJoins)\(filter)\(order)"
    switch function {
    case .exists: return SQLTerm.condition("EXISTS (SELECT 1 \(tail))", .atom)
    case .count where query.hasLimitOrOffset:
      return SQLTerm("(SELECT count(*) FROM (SELECT 1 \(tail)) AS \(alias()))", .bigint)
    case .count: return SQLTerm("(SELECT count(*) \(tail))", .bigint)
    case .includes:
      guard let operand else { throw MagicError.malformedQuery }
      return membership(of: operand, selected) { "SELECT \($0) \(tail)" }
    case .first:
      // A subquery may have one row only.
      let limit = query.hasLimit ? "" : " LIMIT 1"
      return selected.with("(SELECT \(selected.text) \(tail)\(limit))", mayBeNull: true)
    case .sum, .minimum, .maximum, .average, .distinctCount, .percentile, .joined:
      guard let aggregate = function.aggregate else { throw MagicError.malformedQuery }
      // An aggregate of columns of an outer query only would be an aggregate of the outer query.
      let value = selected.named("\"value\"")
      let result = self.aggregate(aggregate, of: value)
      return result.with(
        "(SELECT \(result.text) FROM (SELECT \(selected.text) AS \"value\" \(tail)) "
          + "AS \(alias()))")
    }
  }

  /// Renders the test whether a value is one of the rows of a subquery.
  private mutating func membership(
    of operand: SQLTerm, _ selected: SQLTerm, _ rows: (String) -> String
  ) -> SQLTerm {
    let terms = SQLTerm.keys(of: unified([operand, selected]))
    return SQLTerm.condition(
      "\(terms[0].operand) IN (\(rows(terms[1].text)))",
      mayBeNull: operand.value.mayBeNull || selected.mayBeNull)
  }

  /// Renders a part of a subquery, whose row is the innermost one. The outer scopes keep the joins for
  /// paths of outer rows in the subquery.
  mutating func inRows<Result>(
    of query: Subquery, _ body: (inout QueryRenderer) throws -> Result
  ) throws -> Result {
    let table = try table(query.schema)
    var scope = RowScope(
      ids: query.rowScopes, schema: query.schema, table: table, alias: alias())
    scope.reached = try query.traversal.map {
      RowScope.Reached(source: try reached($0, query.schema), alias: alias())
    }
    let outer = scopes
    defer { scopes = query.isRoot ? outer : scopes.dropLast() }
    if query.isRoot { scopes = [] }
    scopes.append(scope)
    return try body(&self)
  }

  /// Renders the sort order and the limit of a subquery.
  private mutating func order(_ query: Subquery) throws -> String {
    guard query.hasLimitOrOffset else { return "" }
    var orders: [String] = []
    for order in query.orders {
      orders.append(sorted(try term(order.tree), isDescending: order.isDescending))
    }
    if query.isRandom { orders = ["random()"] }
    let order = (orders + ["\(scopes[scopes.count - 1].alias).\"z_index\""])
      .joined(separator: ", ")
    let limit = query.hasLimit ? " LIMIT \(try parameter(.bigint))" : ""
    let offset = query.hasOffset ? " OFFSET \(try parameter(.bigint))" : ""
    return " ORDER BY \(order)\(limit)\(offset)"
  }

  /// Renders a term of a sort order. NULL sorts before all values.
  mutating func sorted(_ term: SQLTerm, isDescending: Bool) -> String {
    Self.sorted(typed(term), isDescending: isDescending)
  }

  static func sorted(_ term: SQLTerm, isDescending: Bool) -> String {
    let term = term.key
    let direction = isDescending ? " DESC" : ""
    guard term.mayBeNull else { return term.text + direction }
    return term.text + direction + (isDescending ? " NULLS LAST" : " NULLS FIRST")
  }

  /// Renders a subquery for the first rows of each partition, with the column `row`.
  mutating func top(
    _ query: Subquery, _ partition: [ExpressionTree]
  ) throws -> (rows: String, selected: SQLTerm) {
    // The numbered rows are those of the subquery, not groups.
    let groups = (keys, groupings, groupTexts)
    defer { (keys, groupings, groupTexts) = groups }
    (keys, groupings, groupTexts) = ([], [], [:])
    return try inRows(of: query) { renderer in
      let selected =
        try query.selection.map { renderer.typed(try renderer.term($0)) }
        ?? SQLTerm("1::bigint", .bigint)
      let filter =
        try query.filter.map { " WHERE \(renderer.condition(try renderer.term($0)).text)" } ?? ""
      let number = try renderer.window(
        .rowNumber, nil, Window(partition: partition, orders: query.orders))
      let source = renderer.scopes[renderer.scopes.count - 1].sourceWithJoins
      let rows =
        "SELECT \"row\" FROM (SELECT \(selected.text) AS \"row\", \(number.text) AS \"number\" "
        + "FROM \(source)\(filter)) AS \(renderer.alias()) "
        + "WHERE \"number\" <= \(try renderer.parameter(.bigint))"
      return (rows, selected.named("\"row\""))
    }
  }
}
