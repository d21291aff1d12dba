package import MagicSchema

/// Cuts a query into pages: each begins behind the last row of the one before, by the values that
/// the row is ordered by.
package struct QueryPages: Sendable {
  private let plan: QueryDescription
  private var left: Int?
  private var isFirst = true
  private var isAtEnd = false
  /// The values that the last row is ordered by, its row ID behind them.
  private var last: [QueryValue] = []
  private var asked = 0

  private static var size: Int { 512 }

  package init(_ plan: QueryDescription) {
    self.plan = plan
    left = plan.limit
  }

  /// The query for the next page; nil where there is none.
  package mutating func next<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery? {
    guard !plan.isRandom else {
      throw MagicError(.invalidQuery, "A random order cannot be read in pages.")
    }
    guard !isAtEnd else { return nil }
    let schema = try ObjectSchema.of(type)
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
    var page = plan
    page.orders.append(QueryDescription.SortTerm(rowID, isDescending: false))
    page.selection = page.orders.map(\.expression)
    if !isFirst {
      page.offset = nil
      guard last.count == page.orders.count else { return nil }
      page.restrict(to: Self.behind(last, page.orders))
    }
    asked = min(left ?? Self.size, Self.size)
    if (plan.limit ?? 0) >= 0 { page.limit = asked }
    return try PreparedQuery(type, page, .page)
  }

  /// Notes how many rows a page had, and the values that its last row is ordered by.
  package mutating func note(count: Int, last: [QueryValue]) {
    isFirst = false
    self.last = last
    left = left.map { $0 - count }
    isAtEnd = count < asked || left == 0
  }

  /// True of the rows that come behind one.
  private static func behind(
    _ values: [QueryValue], _ orders: [QueryDescription.SortTerm]
  ) -> QueryExpression {
    var condition: QueryExpression?
    for (value, order) in zip(values, orders).reversed() {
      let same: QueryExpression =
        value.isNull
        ? .isNull(order.expression)
        : .comparison(.equal, order.expression, QueryExpression(value))
      let tie = condition.map { QueryExpression.and(same, $0) }
      let behind = Self.behind(value, order)
      switch (behind, tie) {
      case (let behind?, let tie?): condition = .or(behind, tie)
      case (let behind?, nil): condition = behind
      case (nil, let tie): condition = tie
      }
    }
    let whole = condition ?? QueryExpression(QueryValue.null)
    // What an index finds, beside what is exact.
    guard let first = orders.first, let value = values.first, !value.isNull, !first.isDescending,
      orders.count > 1
    else { return whole }
    return .and(
      .comparison(.greaterOrEqual, first.expression, QueryExpression(value)), whole)
  }

  /// True of the rows that one value puts behind; nil where there are none.
  private static func behind(
    _ value: QueryValue, _ order: QueryDescription.SortTerm
  ) -> QueryExpression? {
    if order.isDescending {
      guard !value.isNull else { return nil }
      return .or(
        .comparison(.less, order.expression, QueryExpression(value)), .isNull(order.expression))
    }
    return value.isNull
      ? .isNotNull(order.expression)
      : .comparison(.greater, order.expression, QueryExpression(value))
  }
}
