import MagicEngine
public import Magical
import MagicSchema
import MagicStore

extension MagicExpression {
  /// Whether the value is an element of a sequence; false for nil. The sequence may have any
  /// length.
  public func `in`(_ values: some Sequence<Value>) -> MagicPredicate<Model> where Value: Magical {
    Self.isIn(values, untyped)
  }

  /// Whether the value is an element of a sequence; false for nil. The sequence may have any
  /// length.
  public func `in`<Wrapped: Magical>(
    _ values: some Sequence<Wrapped>
  ) -> MagicPredicate<Model> where Value == Wrapped? {
    Self.isIn(values, untyped)
  }

  /// Whether the value is in a closed range.
  public func `in`(
    _ range: ClosedRange<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isBetween(range.lowerBound, range.upperBound)
  }

  /// Whether the value is in a half-open range.
  public func `in`(
    _ range: Range<Value>
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isInHalfOpenRange(range.lowerBound, to: range.upperBound)
  }

  /// Whether the value is between two values, or equals one of them.
  public func between(
    _ low: Value, _ high: Value
  ) -> MagicPredicate<Model> where Value: MagicalOrdered & Comparable {
    isBetween(low, high)
  }

  /// Whether the value is in a closed range; false for nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    isBetween(range.lowerBound, range.upperBound)
  }

  /// Whether the value is in a half-open range; false for nil.
  public func `in`<Bound: MagicalOrdered & Comparable>(
    _ range: Range<Bound>
  ) -> MagicPredicate<Model> where Value == Bound? {
    isInHalfOpenRange(range.lowerBound, to: range.upperBound)
  }

  /// Whether the value is between two values, or equals one of them; false for nil.
  public func between<Bound: MagicalOrdered & Comparable>(
    _ low: Bound, _ high: Bound
  ) -> MagicPredicate<Model> where Value == Bound? {
    isBetween(low, high)
  }

  private func isBetween(_ low: some MagicalOrdered, _ high: some MagicalOrdered)
    -> MagicPredicate<Model>
  {
    MagicPredicate(
      .between(untyped, QueryExpression(anyValue: low), QueryExpression(anyValue: high)))
  }

  private func isInHalfOpenRange(_ low: some MagicalOrdered, to high: some MagicalOrdered)
    -> MagicPredicate<Model>
  {
    let start = QueryExpression.comparison(
      .greaterOrEqual, untyped, QueryExpression(anyValue: low))
    let end = QueryExpression.comparison(.less, untyped, QueryExpression(anyValue: high))
    return MagicPredicate(.and(start, end))
  }

  private static func isIn<Element: Magical>(
    _ values: some Sequence<Element>, _ untyped: QueryExpression
  ) -> MagicPredicate<Model> {
    do {
      var list: [QueryValue] = []
      for value in values { list.append(try QueryValue(value)) }
      return MagicPredicate(.inList(untyped, list))
    } catch {
      return MagicPredicate(QueryExpression(error))
    }
  }
}
