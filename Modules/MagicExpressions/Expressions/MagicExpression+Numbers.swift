import MagicEngine
import MagicSchema

/// Returns the absolute value of a number. The smallest integer has none: the query throws
/// `.cannotEncode`.
public func abs<Model, Value: MagicalNumber>(
  _ expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.absolute, expression.untyped))
}

extension MagicExpression where Value: MagicalNumber {
  /// Returns the nearest whole number. A number in the middle between two is rounded away from zero.
  public func rounded() -> MagicExpression {
    MagicExpression(.function(.rounded, untyped))
  }

  /// Returns the number as a floating-point number: `$0.$price * $0.$quantity.as(Double.self)`.
  public func `as`(_ type: Double.Type) -> MagicExpression<Model, Value.DoubleValue> {
    MagicExpression<Model, Value.DoubleValue>(.function(.real, untyped))
  }

  /// Returns the number without its fraction. If it is out of the range of `Int`, the query throws
  /// `.cannotEncode`.
  public func `as`(_ type: Int.Type) -> MagicExpression<Model, Value.IntValue> {
    MagicExpression<Model, Value.IntValue>(.function(.integer, untyped))
  }
}
