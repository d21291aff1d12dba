import MagicEngine
public import Magical
import MagicSchema

/// Aggregates of a property.
extension MagicGroup {
  /// Returns the sum of a property.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value.Sum> { aggregate(.sum, path) }

  /// Returns the average of a property; nil if all its values in the group are nil.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Double?> { aggregate(.average, path) }

  /// Returns the smallest value of a property; nil if all its values in the group are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, path) }

  /// Returns the smallest value of a property; nil if all its values in the group are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, path) }

  /// Returns the largest value of a property; nil if all its values in the group are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, path) }

  /// Returns the largest value of a property; nil if all its values in the group are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, path) }

  /// Returns the number of distinct values of a property. Nil is not counted.
  public func count<Value>(
    distinct path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Int> { aggregate(.distinctCount, path) }

  private func aggregate<Value, Result>(
    _ function: AggregateFunction, _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Result> {
    MagicExpression<Model, Result>(.aggregate(function, of: QueryExpression(path)))
  }
}

/// Aggregates of an expression: `$0.sum { $0.$price * $0.$quantity.as(Double.self) }`.
extension MagicGroup {
  /// Returns the sum of an expression that is computed for each row.
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Value.Sum> { aggregate(.sum, expression) }

  /// Returns the average of an expression; nil if all its values in the group are nil.
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Double?> { aggregate(.average, expression) }

  /// Returns the smallest value of an expression; nil if all its values in the group are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, expression) }

  /// Returns the smallest value of an expression; nil if all its values in the group are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, expression) }

  /// Returns the largest value of an expression; nil if all its values in the group are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, expression) }

  /// Returns the largest value of an expression; nil if all its values in the group are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, expression) }

  /// Returns the number of distinct values of an expression. Nil is not counted.
  public func count<Value>(
    distinct expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Int> { aggregate(.distinctCount, expression) }

  /// Returns the texts of a property as one text, in no defined order; nil if all texts are nil.
  public func joined<Value: MagicText>(
    _ path: MagicPath<Model, Value>, separator: String
  ) -> MagicExpression<Model, String?> {
    MagicExpression<Model, String?>(.joined(QueryExpression(path), separator: separator))
  }

  /// Returns the texts of an expression as one text, in no defined order; nil if all texts are nil.
  public func joined<Value: MagicText>(
    separator: String, _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, String?> {
    MagicExpression<Model, String?>(
      .joined(expression(MagicRow(scope: .root)).untyped, separator: separator))
  }

  private func aggregate<Value, Result>(
    _ function: AggregateFunction,
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Model, Result> {
    MagicExpression<Model, Result>(
      .aggregate(function, of: expression(MagicRow(scope: .root)).untyped))
  }
}
