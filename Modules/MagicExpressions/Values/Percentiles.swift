import MagicEngine
import MagicSchema

extension QueryExpression {
  /// Returns the error for a percentile whose fraction is not between 0 and 1; nil otherwise.
  package static func percentileError(_ fraction: Double) -> QueryExpression? {
    guard !(0...1).contains(fraction) else { return nil }
    return QueryExpression(
      MagicError(
        .invalidQuery, "The fraction of a percentile is not between 0 and 1. The median is 0.5."))
  }
}
