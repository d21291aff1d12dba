/// A traversal without its values, which are those of the start, and then the largest depth.
package struct TraversalTree: Sendable {
  package let relationship: ColumnPath
  package let isReversed: Bool
  package let start: ExpressionTree
  package let scope: RowScopeID
  package let includesStart: Bool
  package let isLimited: Bool

  /// The properties that are not expressions, as bits.
  var flags: Int { (isReversed ? 1 : 0) | (includesStart ? 2 : 0) | (isLimited ? 4 : 0) }
}
