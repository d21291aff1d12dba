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
}
