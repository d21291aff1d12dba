package import MagicRequests

extension WindowFrame {
  /// The clause of a window for the frame.
  package var sql: String {
    "ROWS BETWEEN \(first.map(Self.bound) ?? "UNBOUNDED PRECEDING") "
      + "AND \(last.map(Self.bound) ?? "UNBOUNDED FOLLOWING")"
  }

  private static func bound(_ position: Int) -> String {
    if position == 0 { return "CURRENT ROW" }
    return "\(position.magnitude) \(position < 0 ? "PRECEDING" : "FOLLOWING")"
  }
}

extension WindowFunction {
  /// Returns whether rows with equal orders need a further order, so that the result is defined as it
  /// is in a result of rows.
  ///
  /// - Parameter frame: the frame of the function; nil if it uses none.
  package func needsTotalOrder(in frame: WindowFrame?) -> Bool {
    !isRank && (frame != .partition || isPositional)
  }

  /// Whether the result depends on the order of rows with equal orders, in every frame.
  private var isPositional: Bool {
    switch self {
    case .rowNumber, .tile, .lag, .lead, .first, .last: true
    case .rank, .denseRank, .rowCount, .aggregate: false
    }
  }
}
