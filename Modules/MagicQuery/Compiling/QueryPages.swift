import MagicSQLite
import MagicSchema
import MagicStore

/// Cuts a query into pages: each begins behind the last row of the one before, by the values that
/// the row is ordered by.
struct QueryPages {
  private let plan: QueryPlan
  private var left: Int?
  private var isFirst = true
  private var isAtEnd = false
  /// The values that the last row is ordered by, its z-index behind them.
  private var last: [QueryValue] = []
  private var asked = 0

  private static var size: Int { 512 }

  init(_ plan: QueryPlan) {
    self.plan = plan
    left = plan.limit
  }

  /// The call for the next page; nil where there is none.
  mutating func next<Model: MagicObject>(_ type: Model.Type) throws -> PreparedQuery? {
    guard !plan.isRandom else {
      throw MagicError(.invalidQuery, "A random order cannot be read in pages.")
    }
    guard !isAtEnd else { return nil }
    let schema = try ObjectSchema.of(type)
    let zIndex = ExpressionCode(
      words: [Operation.column.rawValue, Scope.root, schema.ordinal, 1, -1])
    var page = plan
    page.orders.append(QueryPlan.Order(code: zIndex, isDescending: false))
    page.selection = page.orders.map(\.code)
    if !isFirst {
      page.offset = nil
      guard last.count == page.orders.count else { return nil }
      page.restrict(to: Self.behind(last, page.orders))
    }
    asked = min(left ?? Self.size, Self.size)
    if (plan.limit ?? 0) >= 0 { page.limit = asked }
    return try PreparedQuery(type, page, .page)
  }

  /// Takes down what a page brought.
  mutating func note(count: Int, last: [QueryValue]) {
    isFirst = false
    self.last = last
    left = left.map { $0 - count }
    isAtEnd = count < asked || left == 0
  }

  /// True of the rows that come behind one.
  private static func behind(
    _ values: [QueryValue], _ orders: [QueryPlan.Order]
  ) -> ExpressionCode {
    var condition: ExpressionCode?
    for (value, order) in zip(values, orders).reversed() {
      let same =
        value.isNull
        ? ExpressionCode(.isNull, [order.code])
        : ExpressionCode(.equal, [order.code, ExpressionCode(value)])
      let tie = condition.map { ExpressionCode(.and, joining: same, $0) }
      let behind = Self.behind(value, order)
      switch (behind, tie) {
      case (let behind?, let tie?): condition = ExpressionCode(.or, joining: behind, tie)
      case (let behind?, nil): condition = behind
      case (nil, let tie): condition = tie
      }
    }
    let whole = condition ?? ExpressionCode(QueryValue.null)
    // What an index finds, beside what is exact.
    guard let first = orders.first, let value = values.first, !value.isNull, !first.isDescending,
      orders.count > 1
    else { return whole }
    let start = ExpressionCode(.greaterOrEqual, [first.code, ExpressionCode(value)])
    return ExpressionCode(.and, joining: start, whole)
  }

  /// True of the rows that one value puts behind; nil where there are none.
  private static func behind(
    _ value: QueryValue, _ order: QueryPlan.Order
  ) -> ExpressionCode? {
    if order.isDescending {
      guard !value.isNull else { return nil }
      return ExpressionCode(
        .or, joining: ExpressionCode(.less, [order.code, ExpressionCode(value)]),
        ExpressionCode(.isNull, [order.code]))
    }
    return value.isNull
      ? ExpressionCode(.isNotNull, [order.code])
      : ExpressionCode(.greater, [order.code, ExpressionCode(value)])
  }
}

extension StoreConnection {
  /// A page's objects, and the values that its last row is ordered by, where it is full.
  func page<Model: MagicObject>(
    of type: Model.Type, _ call: PreparedQuery
  ) throws -> (objects: [Model], last: [QueryValue]) {
    guard try hasTable(of: call.schema) else { return ([], []) }
    return try run(call, isOneStatement: !call.schema.reach.fetched.hasRelationships) { statement in
      var last: [QueryValue] = []
      var left = call.plan.limit ?? 0
      let start = 1 + call.schema.columns.count
      let columns = start..<start + call.plan.selection.count
      let objects = try objects(of: type, call.schema, statement) { row in
        left -= 1
        if left == 0 { last = columns.map { QueryValue(row.column($0)) } }
      }
      return (objects, last)
    }
  }
}
