package import MagicSchema

/// The clauses of a query, without its database. Query builders modify this value.
package struct QueryDescription: Sendable {
  /// The identities that closures have given the row of a query that is not bound to a database; nil
  /// if closures use ``RowScopeID/root``. So a query in a closure of another query has other rows.
  package var rowScopes: [RowScopeID]?
  /// Whether closures may use ``RowScopeID/root`` as the row of the query.
  package var usesRoot = true
  /// The rows to which the query is restricted, besides the filter.
  package var traversal: Traversal?
  /// The search to whose rows the query is restricted, besides the filter. The rows have scores.
  package var search: TextSearch?
  /// The source with whose rows each row is combined.
  package var join: RowJoin?
  package var filter: QueryExpression?
  package var orders: [SortTerm] = []
  package var isRandom = false
  package var isDistinct = false
  package var limit: Int?
  package var offset: Int?
  /// The expressions that are computed for each row. Empty if the query returns objects.
  package var selection: [QueryExpression] = []
  /// The keys of groups. The selection begins with them.
  package var groups: [QueryExpression] = []
  package var having: QueryExpression?
  /// The groups to which the result is restricted, after the conditions.
  package var topGroups: TopGroups?
  /// The sort order of the groups, which precedes the sort order of the rows.
  package var groupOrders: [SortTerm] = []
  /// The maximum number of groups or of distinct rows.
  package var groupLimit: Int?
  /// The selections whose rows are the rows of the query. The query then has no clauses besides the
  /// sort order and the limit of groups.
  package var combined: CombinedSelections?
  /// The first error of the query builder. Thrown when the query runs.
  package var error: MagicError?

  /// An expression by which rows or groups are sorted.
  package struct SortTerm: Sendable {
    package let expression: QueryExpression
    package let isDescending: Bool

    package init(_ expression: QueryExpression, isDescending: Bool) {
      self.expression = expression
      self.isDescending = isDescending
    }

    /// The expression without its values.
    package var term: ExpressionTree.SortTerm {
      ExpressionTree.SortTerm(tree: expression.tree, isDescending: isDescending)
    }
  }

  package init() {}

  package mutating func restrict(to predicate: QueryExpression) {
    filter = filter.map { .and($0, predicate) } ?? predicate
  }

  package mutating func restrictGroups(to predicate: QueryExpression) {
    having = having.map { .and($0, predicate) } ?? predicate
  }

  /// Adds a sort term, which replaces a random order.
  package mutating func order(by expression: QueryExpression, isDescending: Bool) {
    isRandom = false
    orders.append(SortTerm(expression, isDescending: isDescending))
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

  static func negative(_ name: String) -> MagicError {
    MagicError(.invalidQuery, "The \(name) of a query is negative. Use 0 or more.")
  }
}

extension QueryDescription {
  /// Whether the query has a limit or an offset.
  package var hasLimitOrOffset: Bool { limit != nil || offset != nil }

  /// Whether limit and offset apply to rows before they are grouped or made distinct.
  package var limitsRowsFirst: Bool { hasLimitOrOffset && (isDistinct || !groups.isEmpty) }

  /// The same query without a sort order.
  package var unordered: QueryDescription {
    var plan = self
    plan.orders = []
    plan.isRandom = false
    return plan
  }

  /// The same query without a sort order, unless limit or offset make the order significant.
  package var rows: QueryDescription { hasLimitOrOffset ? self : unordered }
}
