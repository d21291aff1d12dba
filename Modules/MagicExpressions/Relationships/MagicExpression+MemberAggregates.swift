import MagicEngine
public import Magical
import MagicSchema

/// Aggregates of the members of a collection.
///
/// ```swift
/// let totals = try await magic.query(Sale.self).select {
///   ($0.$customer, $0.$items.sum { $0.$price * $0.$quantity.as(Double.self) })
/// }.all()
/// ```
///
/// The database computes them; no member is loaded. A member that an array contains twice is added
/// twice.
extension MagicExpression where Value: MagicMembers {
  /// Returns the sum of an expression over all members; 0 if there are no values.
  public func sum<Number: MagicalNumeric>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Number>
  ) -> MagicExpression<Model, Number.Sum> {
    MagicExpression<Model, Number.Sum>(members(.sum, expression))
  }

  /// Returns the average of an expression over all members; nil if there are no values.
  public func average<Number: MagicalNumeric>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Number>
  ) -> MagicExpression<Model, Double?> {
    MagicExpression<Model, Double?>(members(.average, expression))
  }

  /// Returns the median of an expression over all members; nil if there are no values.
  public func median<Number: MagicalNumeric>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Number>
  ) -> MagicExpression<Model, Double?> {
    MagicExpression<Model, Double?>(members(.percentile(0.5), expression))
  }

  /// Returns the number below which a part of the values of an expression over all members is; nil if
  /// there are no values.
  ///
  /// - Parameter fraction: the part, from 0 to 1. For another number the query throws
  ///   `.invalidQuery`.
  public func percentile<Number: MagicalNumeric>(
    _ fraction: Double,
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Number>
  ) -> MagicExpression<Model, Double?> {
    MagicExpression<Model, Double?>(
      .percentileError(fraction) ?? members(.percentile(fraction), expression))
  }

  /// Returns the smallest value of an expression over all members; nil if there are no values.
  public func min<Ordered: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Ordered>
  ) -> MagicExpression<Model, Ordered?> {
    MagicExpression<Model, Ordered?>(members(.minimum, expression))
  }

  /// Returns the smallest value of an optional expression over all members; nil if there are no
  /// values.
  public func min<Ordered: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Ordered?>
  ) -> MagicExpression<Model, Ordered?> {
    MagicExpression<Model, Ordered?>(members(.minimum, expression))
  }

  /// Returns the largest value of an expression over all members; nil if there are no values.
  public func max<Ordered: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Ordered>
  ) -> MagicExpression<Model, Ordered?> {
    MagicExpression<Model, Ordered?>(members(.maximum, expression))
  }

  /// Returns the largest value of an optional expression over all members; nil if there are no
  /// values.
  public func max<Ordered: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Ordered?>
  ) -> MagicExpression<Model, Ordered?> {
    MagicExpression<Model, Ordered?>(members(.maximum, expression))
  }

  /// Returns the number of distinct values of a property of the members. Nil is not counted.
  public func count<Counted>(
    distinct path: MagicPath<Value.Member, Counted>
  ) -> MagicExpression<Model, Int> {
    count(distinct: { $0[dynamicMember: path] })
  }

  /// Returns the number of distinct values of an expression over all members. Nil is not counted.
  public func count<Counted>(
    distinct expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Counted>
  ) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(members(.distinctCount, expression))
  }

  /// Returns the texts of a property of the members as one text, in no defined order; nil if there
  /// are no texts.
  public func joined<Text: MagicText>(
    _ path: MagicPath<Value.Member, Text>, separator: String
  ) -> MagicExpression<Model, String?> {
    joined(separator: separator) { $0[dynamicMember: path] }
  }

  /// Returns the texts of an expression over all members as one text, in no defined order; nil if
  /// there are no texts.
  public func joined<Text: MagicText>(
    separator: String,
    _ expression: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Text>
  ) -> MagicExpression<Model, String?> {
    MagicExpression<Model, String?>(members(.joined, expression, separator: separator))
  }
}
