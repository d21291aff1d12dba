import MagicEngine
import MagicSchema
public import Magical

/// Aggregates of the rows in the frame of a window. Nil is ignored.
///
/// ```swift
/// // The sum of the ages up to each person, and the share of each person in the whole sum.
/// let sums = try await magic.query(Person.self).select {
///   (
///     $0.$name, $0.$age.sum(over: .order(by: $0.$name)),
///     $0.$age.as(Double.self) / $0.$age.as(Double.self).sum(over: .all)
///   )
/// }
/// .all()
/// ```
extension MagicExpression where Value: MagicalNumeric {
  /// Returns the sum of the values in the frame; 0 if there are none.
  public func sum(over window: MagicWindow<Model>) -> MagicExpression<Model, Value.Sum> {
    window.function(.aggregate(.sum), of: untyped)
  }

  /// Returns the average of the values in the frame; nil if there are none.
  public func average(over window: MagicWindow<Model>) -> MagicExpression<Model, Double?> {
    window.function(.aggregate(.average), of: untyped)
  }
}

extension MagicExpression {
  /// Returns the smallest value in the frame; nil if the frame is empty.
  public func min(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value?> where Value: MagicalOrdered & Magical {
    window.function(.aggregate(.minimum), of: untyped)
  }

  /// Returns the smallest value in the frame; nil if there are no values.
  public func min<Wrapped: MagicalOrdered & Magical>(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? {
    window.function(.aggregate(.minimum), of: untyped)
  }

  /// Returns the largest value in the frame; nil if the frame is empty.
  public func max(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value?> where Value: MagicalOrdered & Magical {
    window.function(.aggregate(.maximum), of: untyped)
  }

  /// Returns the largest value in the frame; nil if there are no values.
  public func max<Wrapped: MagicalOrdered & Magical>(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? {
    window.function(.aggregate(.maximum), of: untyped)
  }
}

/// Values of other rows of a window.
extension MagicExpression where Value: Magical {
  /// Returns the value of the row that is a number of rows before the current one; nil if there is
  /// none.
  public func lag(
    _ distance: Int = 1, over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value?> { window.lag(distance, untyped) }

  /// Returns the value of the row that is a number of rows after the current one; nil if there is
  /// none.
  public func lead(
    _ distance: Int = 1, over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value?> { window.lead(distance, untyped) }

  /// Returns the value of the first row of the frame, or of the partition if the window has no
  /// frame; nil if the frame is empty.
  public func firstValue(over window: MagicWindow<Model>) -> MagicExpression<Model, Value?> {
    window.function(.first, of: untyped)
  }

  /// Returns the value of the last row of the frame, or of the partition if the window has no frame;
  /// nil if the frame is empty.
  public func lastValue(over window: MagicWindow<Model>) -> MagicExpression<Model, Value?> {
    window.function(.last, of: untyped)
  }
}

/// Optional values of other rows of a window.
extension MagicExpression {
  /// Returns the value of the row that is a number of rows before the current one; nil if there is
  /// none.
  public func lag<Wrapped: Magical>(
    _ distance: Int = 1, over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? { window.lag(distance, untyped) }

  /// Returns the value of the row that is a number of rows after the current one; nil if there is
  /// none.
  public func lead<Wrapped: Magical>(
    _ distance: Int = 1, over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? { window.lead(distance, untyped) }

  /// Returns the value of the first row of the frame, or of the partition if the window has no
  /// frame; nil if the frame is empty.
  public func firstValue<Wrapped: Magical>(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? {
    window.function(.first, of: untyped)
  }

  /// Returns the value of the last row of the frame, or of the partition if the window has no frame;
  /// nil if the frame is empty.
  public func lastValue<Wrapped: Magical>(
    over window: MagicWindow<Model>
  ) -> MagicExpression<Model, Value> where Value == Wrapped? { window.function(.last, of: untyped) }
}

extension MagicWindow {
  fileprivate func lag<Value>(
    _ distance: Int, _ operand: QueryExpression
  ) -> MagicExpression<Model, Value> {
    distance < 0
      ? Self.refused("The distance of lag is negative. Use lead instead.")
      : function(.lag(distance), of: operand)
  }

  fileprivate func lead<Value>(
    _ distance: Int, _ operand: QueryExpression
  ) -> MagicExpression<Model, Value> {
    distance < 0
      ? Self.refused("The distance of lead is negative. Use lag instead.")
      : function(.lead(distance), of: operand)
  }
}
