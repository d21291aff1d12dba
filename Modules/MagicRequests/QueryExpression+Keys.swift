import MagicSchema

/// Expressions that are the keys of groups.
extension QueryExpression {
  /// Whether a statement refers to this key of groups by its index in the selection, because it is
  /// computed. So the key is computed once, and its values are bound once.
  package var isSelected: Bool { !tree.isColumn }

  /// Whether both expressions compute the same value for each row. The row may have another identity
  /// in one of them.
  package func isEqual(to other: QueryExpression) -> Bool {
    var comparison = ShapeComparison(rows: .corresponding)
    return values.count == other.values.count && comparison.areEqual(tree, other.tree)
      && zip(values, other.values).allSatisfy { $0.isEqual(to: $1) }
  }
}

extension QueryValue {
  fileprivate func isEqual(to other: QueryValue) -> Bool {
    guard case .list(let left) = self, case .list(let right) = other else {
      return hasSameLiteral(as: other)
    }
    return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
  }
}
