import MagicSchema

/// The rows that a relationship of a type to itself reaches from some rows, directly or through
/// other rows.
///
/// A row is reached once. Its depth is the number of steps on the shortest way from a row at the
/// start, so cycles end.
package struct Traversal: Sendable {
  /// The relationship: a to-one relationship, a collection or an inverse relationship.
  package let relationship: ColumnPath
  /// Whether the steps lead from a target of the relationship to the rows that refer to it.
  package let isReversed: Bool
  /// The condition for the rows at the start. Their depth is 0.
  package let start: QueryExpression
  /// The identity of the row in that condition.
  package let scope: RowScopeID
  /// Whether the result has the rows at the start.
  package let includesStart: Bool
  /// The largest depth; nil if there is no limit.
  package let maximumDepth: Int?

  package init(
    along relationship: ColumnPath, isReversed: Bool, from start: QueryExpression,
    scope: RowScopeID, includesStart: Bool, maximumDepth: Int?
  ) {
    self.relationship = relationship
    self.isReversed = isReversed
    self.start = start
    self.scope = scope
    self.includesStart = includesStart
    self.maximumDepth = maximumDepth
  }

  /// The traversal without its values.
  package var tree: TraversalTree {
    TraversalTree(
      relationship: relationship, isReversed: isReversed, start: start.tree,
      scope: scope, includesStart: includesStart, isLimited: maximumDepth != nil)
  }

  /// The largest depth as a value of the query.
  var limit: QueryValue? { maximumDepth.map { .integer(Int64($0)) } }
}
