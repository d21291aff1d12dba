import MagicEngine
import MagicSchema

extension QueryRenderer {
  /// Renders a subquery for the first rows of each partition.
  mutating func top(_ query: Subquery, _ partition: [ExpressionTree]) throws -> String {
    // The numbered rows are those of the subquery, not groups.
    let groups = keys
    defer { keys = groups }
    keys = []
    return try inRows(of: query) { renderer, scope in
      let selected = try query.selection.map { try renderer.term($0).value.text } ?? "1"
      let condition = try query.filter.map { " WHERE \(try renderer.condition($0).text)" } ?? ""
      let number = try renderer.window(
        .rowNumber, nil, Window(partition: partition, orders: query.orders))
      let joins = renderer.scopes[renderer.scopes.count - 1].joinText
      return "SELECT \"row\" FROM (SELECT \(selected) AS \"row\", \(number.text) AS \"number\" "
        + "FROM \(Self.source(scope))\(joins)\(condition)) "
        + "WHERE \"number\" <= \(renderer.parameter())"
    }
  }

  /// Renders a selection of the first groups of each partition. An inner statement numbers the
  /// groups, and has a column for each order.
  ///
  /// - Parameter selection: the selected expressions, which are already rendered.
  mutating func topGroups(
    _ top: TopGroups, _ plan: QueryDescription, _ selection: [String]
  ) throws -> String {
    let condition = try condition(plan)
    let grouping = try grouping(plan)
    let number = try window(.rowNumber, nil, top.window).text
    func columns(_ terms: [QueryDescription.SortTerm]) throws -> [String] {
      try terms.map { try term($0.expression).value.text }
    }
    var computed = try columns(plan.groupOrders)
    let count = parameter()
    let limit = plan.groupLimit.map { _ in " LIMIT \(parameter())" } ?? ""
    computed += try columns(plan.orders)
    let names = selection.indices.map { "\"\($0)\"" }
    var inner = zip(selection, names).map { "\($0) AS \($1)" }
    for (index, order) in computed.enumerated() { inner.append("\(order) AS \"order\(index)\"") }
    inner.append("\(number) AS \"number\"")
    var orders = zip((plan.groupOrders + plan.orders), computed.indices).map {
      "\"order\($1)\"\($0.isDescending ? " DESC" : "")"
    }
    if plan.isRandom { orders = ["random()"] }
    let order = orders.isEmpty ? "" : " ORDER BY \(orders.joined(separator: ", "))"
    return "SELECT \(plan.isDistinct ? "DISTINCT " : "")\(names.joined(separator: ", ")) "
      + "FROM (SELECT \(inner.joined(separator: ", ")) "
      + "FROM \(source)\(condition)\(grouping)) "
      + "WHERE \"number\" <= \(count)\(order)\(limit)"
  }
}
