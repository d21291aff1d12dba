import MagicEngine
import MagicSchema

/// One-sided ranges.
extension MagicExpression {
  /// Whether the value is at least the lower bound of a range.
  public func `in`(
    _ range: PartialRangeFrom<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    compare(.greaterOrEqual, range.lowerBound)
  }

  /// Whether the value is at most the upper bound of a range.
  public func `in`(
    _ range: PartialRangeThrough<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    compare(.lessOrEqual, range.upperBound)
  }

  /// Whether the value is less than the upper bound of a range.
  public func `in`(
    _ range: PartialRangeUpTo<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    compare(.less, range.upperBound)
  }

  /// Whether the value is at least the lower bound of a range; false for nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeFrom<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    compare(.greaterOrEqual, range.lowerBound)
  }

  /// Whether the value is at most the upper bound of a range; false for nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeThrough<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    compare(.lessOrEqual, range.upperBound)
  }

  /// Whether the value is less than the upper bound of a range; false for nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeUpTo<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    compare(.less, range.upperBound)
  }

  private func compare(
    _ comparison: ComparisonOperator, _ bound: some MagicalOrdered
  ) -> MagicPredicate<Model> {
    .comparison(comparison, untyped, QueryExpression(anyValue: bound))
  }
}
