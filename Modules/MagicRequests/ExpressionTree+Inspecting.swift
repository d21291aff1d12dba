extension ExpressionTree {
  /// Whether the expression depends on rows other than its own row.
  package var reachesOtherRows: Bool {
    switch self {
    case .column(let path): !path.toOnes.isEmpty
    // A fragment may contain a subquery.
    case .members, .subquery, .fragment: true
    case .value, .null, .rowCount, .selected: false
    case .and(let operands), .or(let operands), .function(_, let operands):
      operands.contains(where: \.reachesOtherRows)
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand),
      .aggregate(_, let operand), .joined(let operand):
      operand.reachesOtherRows
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      left.reachesOtherRows || right.reachesOtherRows
    case .between(let value, let low, let high):
      value.reachesOtherRows || low.reachesOtherRows || high.reachesOtherRows
    }
  }

  /// Whether the expression is an aggregate of a group of rows.
  var isAggregate: Bool {
    switch self {
    case .rowCount, .aggregate, .joined: true
    case .column, .value, .null, .members, .subquery, .selected, .fragment: false
    case .and(let operands), .or(let operands), .function(_, let operands):
      operands.contains(where: \.isAggregate)
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand):
      operand.isAggregate
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      left.isAggregate || right.isAggregate
    case .between(let value, let low, let high):
      value.isAggregate || low.isAggregate || high.isAggregate
    }
  }

  /// Whether the expression is a computed number, which may exceed the range of its type.
  package var isComputed: Bool {
    switch self {
    case .arithmetic, .negative, .function, .subquery: true
    case .members(let function, _, _): function.aggregate != nil
    default: false
    }
  }

  var isColumn: Bool { if case .column = self { true } else { false } }

  /// The operand of an aggregate, or NULL for a row count.
  package var aggregated: ExpressionTree {
    if case .aggregate(_, let operand) = self { operand } else { .null }
  }

  /// The index of the column if the expression is a column of the type itself, otherwise nil.
  package var ownColumn: Int? {
    guard case .column(let path) = self, path.toOnes.isEmpty else { return nil }
    return path.property
  }
}

extension QueryExpression {
  /// Whether a statement refers to this key of groups by its index in the selection, because it is
  /// computed. So the key is computed once, and its values are bound once.
  package var isSelected: Bool { !tree.isColumn }
}
