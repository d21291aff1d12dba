package import MagicSchema

/// What a query asks, without its source: a value that builders change.
package struct QueryDescription: Sendable {
  package var filter: QueryExpression?
  package var orders: [SortTerm] = []
  package var isRandom = false
  package var isDistinct = false
  package var limit: Int?
  package var offset: Int?
  /// What is computed of each row, where it is not the objects that are asked for.
  package var selection: [QueryExpression] = []
  package var groups: [QueryExpression] = []
  package var having: QueryExpression?
  /// The order of the groups, before that of the rows.
  package var groupOrders: [SortTerm] = []
  /// How many groups, or distinct rows, at most.
  package var groupLimit: Int?
  /// A mistake of a builder, thrown where the query runs.
  package var error: MagicError?

  /// An expression that rows or groups are sorted by.
  package struct SortTerm: Sendable {
    package let expression: QueryExpression
    package let isDescending: Bool

    package init(_ expression: QueryExpression, isDescending: Bool) {
      self.expression = expression
      self.isDescending = isDescending
    }
  }

  package init() {}

  package mutating func restrict(to predicate: QueryExpression) {
    filter = filter.map { .and($0, predicate) } ?? predicate
  }

  package mutating func restrictGroups(to predicate: QueryExpression) {
    having = having.map { .and($0, predicate) } ?? predicate
  }

  package mutating func limit(to count: Int) {
    if count < 0 { error = error ?? Self.negative("limit") }
    limit = count
  }

  package mutating func skip(_ count: Int) {
    if count < 0 { error = error ?? Self.negative("offset") }
    offset = count
  }

  package mutating func limitGroups(to count: Int) {
    if count < 0 { error = error ?? Self.negative("limit") }
    groupLimit = count
  }

  private static func negative(_ name: String) -> MagicError {
    MagicError(.invalidQuery, "The \(name) of a query is negative.")
  }
}

extension QueryDescription {
  /// Whether it asks for a part of the rows that its filter finds.
  package var isCut: Bool { limit != nil || offset != nil }

  /// Whether limit and offset come before what is made of the rows.
  package var cutsRowsFirst: Bool { isCut && (isDistinct || !groups.isEmpty) }

  /// The same rows in any order.
  package var unordered: QueryDescription {
    var plan = self
    plan.orders = []
    plan.isRandom = false
    return plan
  }

  /// The same rows, in an order only where it decides which rows they are.
  package var rows: QueryDescription { isCut ? self : unordered }
}
