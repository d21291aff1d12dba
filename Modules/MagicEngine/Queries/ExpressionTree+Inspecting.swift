extension ExpressionTree {
  /// Whether it is computed of other rows than its own.
  package var reachesOtherRows: Bool {
    switch self {
    case .column(let path): !path.toOnes.isEmpty
    case .members: true
    case .value, .null, .rowCount: false
    case .and(let operands), .or(let operands): operands.contains(where: \.reachesOtherRows)
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand),
      .aggregate(_, let operand):
      operand.reachesOtherRows
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      left.reachesOtherRows || right.reachesOtherRows
    case .between(let value, let low, let high):
      value.reachesOtherRows || low.reachesOtherRows || high.reachesOtherRows
    }
  }

  /// Whether it is computed of the rows of a group.
  var isOfGroup: Bool {
    switch self {
    case .rowCount, .aggregate: true
    case .column, .value, .null, .members: false
    case .and(let operands), .or(let operands): operands.contains(where: \.isOfGroup)
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand):
      operand.isOfGroup
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
      left.isOfGroup || right.isOfGroup
    case .between(let value, let low, let high):
      value.isOfGroup || low.isOfGroup || high.isOfGroup
    }
  }

  /// Whether it is a number that may be out of its type's range.
  package var isComputed: Bool {
    switch self {
    case .arithmetic, .negative: true
    default: false
    }
  }

  /// The operand of an aggregate; NULL for a number of rows.
  package var aggregated: ExpressionTree {
    if case .aggregate(_, let operand) = self { operand } else { .null }
  }

  /// The column of the type itself that the expression is; nil for any other.
  package var ownColumn: Int? {
    guard case .column(let path) = self, path.toOnes.isEmpty else { return nil }
    return path.property
  }
}
