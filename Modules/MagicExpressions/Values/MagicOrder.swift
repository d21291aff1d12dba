/// The direction of an order.
public enum MagicOrder: Sendable {
  /// The smallest value first, and nil before it.
  case ascending
  /// The largest value first, and nil last.
  case descending
}

/// A random order.
public enum MagicRandomOrder: Sendable {
  /// A different order each time the query runs.
  case random
}
