import MagicEngine
import MagicSchema

/// Ranges with one end.
extension MagicExpression {
  /// The value is the range's lower end or lies behind it.
  public func `in`(
    _ range: PartialRangeFrom<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isBeside(.greaterOrEqual, range.lowerBound)
  }

  /// The value lies before the range's upper end or is it.
  public func `in`(
    _ range: PartialRangeThrough<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isBeside(.lessOrEqual, range.upperBound)
  }

  /// The value lies before the range's upper end.
  public func `in`(
    _ range: PartialRangeUpTo<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isBeside(.less, range.upperBound)
  }

  /// The value is the range's lower end or lies behind it; false of nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeFrom<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    isBeside(.greaterOrEqual, range.lowerBound)
  }

  /// The value lies before the range's upper end or is it; false of nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeThrough<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    isBeside(.lessOrEqual, range.upperBound)
  }

  /// The value lies before the range's upper end; false of nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: PartialRangeUpTo<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    isBeside(.less, range.upperBound)
  }

  private func isBeside(
    _ comparison: ComparisonOperator, _ end: some MagicalOrdered
  ) -> MagicPredicate<Model> {
    .comparison(comparison, untyped, QueryExpression(anyValue: end))
  }
}
