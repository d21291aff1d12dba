/// The keys of groups of rows.
package struct GroupKeys {
  private let keys: [QueryExpression]
  private let columns: [ColumnPath]

  package init(_ keys: [QueryExpression]) {
    self.keys = keys
    columns = keys.compactMap { if case .column(let path) = $0.tree { path } else { nil } }
  }

  /// Returns whether all rows of a group have the same value of an expression, because it is a key
  /// or is computed from keys.
  package func determine(_ expression: QueryExpression) -> Bool {
    keys.contains { $0.isEqual(to: expression) } || determine(expression.tree)
  }

  private func determine(_ tree: ExpressionTree) -> Bool {
    switch tree {
    case .column(let path): columns.contains { Self.determines($0, path) }
    case .value, .null: true
    case .and(let operands), .or(let operands), .function(_, let operands):
      operands.allSatisfy { determine($0) }
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand):
      determine(operand)
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      determine(left) && determine(right)
    case .between(let value, let low, let high): [value, low, high].allSatisfy { determine($0) }
    default: false
    }
  }

  /// Returns whether equal values of a column imply equal values at a path: the column is at the
  /// path, or is a relationship on it.
  private static func determines(_ column: ColumnPath, _ path: ColumnPath) -> Bool {
    guard path.type == column.type else { return false }
    if column.property == ColumnPath.rowID { return path.toOnes.starts(with: column.toOnes) }
    return (path.toOnes + [path.property]).starts(with: column.toOnes + [column.property])
  }
}
