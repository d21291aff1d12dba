package import MagicSchema

/// Splits a query into pages. Each page begins after the last row of the previous page, found by
/// the values by which that row is sorted.
package struct QueryPages: Sendable {
  private let plan: QueryDescription
  private var remaining: Int?
  private var isFirst = true
  private var isAtEnd = false
  /// The values by which the last row is sorted, followed by its row ID.
  private var last: [QueryValue] = []
  private var requestedCount = 0

  private static var size: Int { 512 }

  package init(_ plan: QueryDescription) {
    self.plan = plan
    remaining = plan.limit
  }

  /// Returns the query for the next page, or nil at the end.
  package mutating func next<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery? {
    guard !plan.isRandom else {
      throw MagicError(
        .invalidQuery, "A query in random order cannot be read in pages. Use all() instead.")
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
      page.restrict(to: Self.after(last, page.orders))
    }
    requestedCount = min(remaining ?? Self.size, Self.size)
    if (plan.limit ?? 0) >= 0 { page.limit = requestedCount }
    return try PreparedQuery(type, page, .page)
  }

  /// Records the number of rows of a page, and the values by which its last row is sorted.
  package mutating func note(count: Int, last: [QueryValue]) {
    isFirst = false
    self.last = last
    remaining = remaining.map { $0 - count }
    isAtEnd = count < requestedCount || remaining == 0
  }

  /// Returns the condition for the rows that are sorted after a row.
  private static func after(
    _ values: [QueryValue], _ orders: [QueryDescription.SortTerm]
  ) -> QueryExpression {
    var condition: QueryExpression?
    for (value, order) in zip(values, orders).reversed() {
      let same: QueryExpression =
        value.isNull
        ? .isNull(order.expression)
        : .comparison(.equal, order.expression, QueryExpression(value))
      let tie = condition.map { QueryExpression.and(same, $0) }
      let after = Self.after(value, order)
      switch (after, tie) {
      case (let after?, let tie?): condition = .or(after, tie)
      case (let after?, nil): condition = after
      case (nil, let tie): condition = tie
      }
    }
    let exact = condition ?? QueryExpression(QueryValue.null)
    // A redundant condition that an index can serve, in addition to the exact condition.
    guard let first = orders.first, let value = values.first, !value.isNull, !first.isDescending,
      orders.count > 1
    else { return exact }
    return .and(
      .comparison(.greaterOrEqual, first.expression, QueryExpression(value)), exact)
  }

  /// Returns the condition for the rows whose value of one sort term is after the given value, or
  /// nil if there are none.
  private static func after(
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
