extension ExpressionTree {
  /// Whether the expression depends on rows other than its own row.
  package var reachesOtherRows: Bool {
    switch self {
    case .column(let path): !path.toOnes.isEmpty || path.property < ColumnPath.rowID
    case .function(.matches, _): true
    // A fragment may contain a subquery.
    case .members, .subquery, .fragment, .window: true
    case .value, .null, .rowCount, .selected, .element: false
    case .elements(_, let json, let predicate):
      json.reachesOtherRows || predicate.condition.reachesOtherRows
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
    case .column, .value, .null, .members, .subquery, .selected, .fragment, .window, .element:
      false
    case .elements(_, let json, let predicate):
      json.isAggregate || predicate.condition.isAggregate
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

  /// The operands, in the order of their values. Empty for an operation on other rows.
  var operands: [ExpressionTree] {
    switch self {
    case .column, .value, .null, .rowCount, .selected, .members, .subquery, .fragment, .window,
      .elements, .element:
      []
    case .and(let operands), .or(let operands), .function(_, let operands): operands
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .negative(let operand),
      .textTest(_, let operand), .textFunction(_, let operand), .inList(let operand),
      .aggregate(_, let operand), .joined(let operand):
      [operand]
    case .comparison(_, let left, let right), .arithmetic(_, let left, let right): [left, right]
    case .between(let value, let low, let high): [value, low, high]
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
