import MagicSchema
import MagicStore

/// What a query asks, without its source: a value that builders change.
struct QueryPlan: Sendable {
  var filter: ExpressionCode?
  var orders: [Order] = []
  var isRandom = false
  var isDistinct = false
  var limit: Int?
  var offset: Int?
  /// What is computed of each row, where it is not the objects that are asked for.
  var selection: [ExpressionCode] = []
  var groups: [ExpressionCode] = []
  var having: ExpressionCode?
  /// The order of the groups, before that of the rows.
  var groupOrders: [Order] = []
  /// How many groups, or distinct rows, at most.
  var groupLimit: Int?
  /// A mistake of a builder, thrown where the query runs.
  var error: MagicError?

  struct Order: Sendable {
    let code: ExpressionCode
    let isDescending: Bool
  }

  mutating func restrict(to predicate: ExpressionCode) {
    filter = filter.map { ExpressionCode(.and, joining: $0, predicate) } ?? predicate
  }

  mutating func restrictGroups(to predicate: ExpressionCode) {
    having = having.map { ExpressionCode(.and, joining: $0, predicate) } ?? predicate
  }

  mutating func limit(to count: Int) {
    if count < 0 { error = error ?? Self.negative("limit") }
    limit = count
  }

  mutating func skip(_ count: Int) {
    if count < 0 { error = error ?? Self.negative("offset") }
    offset = count
  }

  mutating func limitGroups(to count: Int) {
    if count < 0 { error = error ?? Self.negative("limit") }
    groupLimit = count
  }

  private static func negative(_ name: String) -> MagicError {
    MagicError(.invalidQuery, "The \(name) of a query is negative.")
  }
}
