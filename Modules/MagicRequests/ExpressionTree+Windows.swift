import MagicSchema

extension ExpressionTree {
  /// The expressions that this expression consists of, also those of other rows.
  var parts: [ExpressionTree] {
    switch self {
    case .elements(_, let json, let predicate): [json, predicate.condition]
    case .members(_, _, let predicate): predicate.map { [$0.condition] } ?? []
    case .subquery(_, let query, let operand):
      [operand, query.traversal?.start, query.selection, query.filter].compactMap { $0 }
        + (query.partition ?? []) + query.orders.map(\.tree)
    case .window(_, let operand, let window):
      [operand].compactMap { $0 } + window.partition + window.orders.map(\.tree)
    default: operands
    }
  }

  package var hasWindow: Bool {
    if case .window = self { true } else { parts.contains(where: \.hasWindow) }
  }

  /// Whether a window function is in an expression that is computed before the rows of the result
  /// are known.
  var hasMisplacedWindow: Bool {
    switch self {
    case .window, .aggregate, .joined, .members, .subquery: parts.contains(where: \.hasWindow)
    default: parts.contains(where: \.hasMisplacedWindow)
    }
  }
}

extension WindowFunction {
  /// Returns the rows that the function uses; nil for a function that has no frame.
  package func frame(in window: Window) -> WindowFrame? {
    switch self {
    case .rank, .denseRank, .rowNumber, .tile, .lag, .lead: nil
    case .first, .last: window.frame ?? .partition
    case .rowCount, .aggregate:
      window.frame ?? (window.orders.isEmpty ? .partition : .running)
    }
  }
}

extension Window {
  func hash(of function: WindowFunction, into hasher: inout ShapeHasher) {
    let (kind, number) = function.numbers
    hasher.combine(kind)
    hasher.combine(number)
    hasher.combine(partition)
    hasher.combine(orders)
    hasher.combine(frame?.first ?? .min)
    hasher.combine(frame?.last ?? .max)
  }
}
