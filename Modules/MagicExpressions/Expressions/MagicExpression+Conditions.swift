import MagicEngine
public import Magical
import MagicSchema

/// Returns the optional expression, or the value where the expression is nil.
public func ?? <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.coalesced, expression.untyped, QueryExpression(value: value)))
}

/// Returns the first expression, or the second where the first is nil.
public func ?? <Model, Value>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.coalesced, left.untyped, right.untyped))
}

/// Returns the first expression, or the second where the first is nil.
public func ?? <Model, Value>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value?>
) -> MagicExpression<Model, Value?> {
  MagicExpression(.function(.coalesced, left.untyped, right.untyped))
}

/// Values that depend on a condition.
///
/// ```swift
/// let ages = try await people.select {
///   ($0.$name, MagicExpression.when($0.$age < 18, then: "minor", else: "adult"))
/// }.all()
/// ```
extension MagicExpression {
  /// Returns one expression where the condition is true, and the other where it is not.
  public static func when(
    _ condition: MagicPredicate<Model>, then value: MagicExpression,
    else other: MagicExpression
  ) -> MagicExpression {
    MagicExpression(.function(.conditional, condition.untyped, value.untyped, other.untyped))
  }

  /// Returns one value where the condition is true, and the other where it is not.
  public static func when(
    _ condition: MagicPredicate<Model>, then value: Value, else other: Value
  ) -> MagicExpression where Value: MagicalOrdered {
    when(condition, then: constant(value), else: constant(other))
  }

  /// Returns an expression where the condition is true, and a value where it is not.
  public static func when(
    _ condition: MagicPredicate<Model>, then value: MagicExpression, else other: Value
  ) -> MagicExpression where Value: MagicalOrdered {
    when(condition, then: value, else: constant(other))
  }

  /// Returns a value where the condition is true, and an expression where it is not.
  public static func when(
    _ condition: MagicPredicate<Model>, then value: Value, else other: MagicExpression
  ) -> MagicExpression where Value: MagicalOrdered {
    when(condition, then: constant(value), else: other)
  }

  private static func constant(_ value: Value) -> MagicExpression {
    MagicExpression(QueryExpression(anyValue: value))
  }
}

/// Enumerations that depend on a condition.
extension MagicExpression where Value: Magical & RawRepresentable {
  /// Returns one value where the condition is true, and the other where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when(
    _ condition: MagicPredicate<Model>, then value: Value, else other: Value
  ) -> MagicExpression {
    when(condition, then: constant(value), else: constant(other))
  }

  /// Returns an expression where the condition is true, and a value where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when(
    _ condition: MagicPredicate<Model>, then value: MagicExpression, else other: Value
  ) -> MagicExpression {
    when(condition, then: value, else: constant(other))
  }

  /// Returns a value where the condition is true, and an expression where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when(
    _ condition: MagicPredicate<Model>, then value: Value, else other: MagicExpression
  ) -> MagicExpression {
    when(condition, then: constant(value), else: other)
  }
}

/// Optional enumerations that depend on a condition.
extension MagicExpression {
  /// Returns one value where the condition is true, and the other where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when<Wrapped: Magical & RawRepresentable>(
    _ condition: MagicPredicate<Model>, then value: Wrapped?, else other: Wrapped?
  ) -> MagicExpression where Value == Wrapped? {
    when(condition, then: constant(value), else: constant(other))
  }

  /// Returns an expression where the condition is true, and a value where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when<Wrapped: Magical & RawRepresentable>(
    _ condition: MagicPredicate<Model>, then value: MagicExpression, else other: Wrapped?
  ) -> MagicExpression where Value == Wrapped? {
    when(condition, then: value, else: constant(other))
  }

  /// Returns a value where the condition is true, and an expression where it is not.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func when<Wrapped: Magical & RawRepresentable>(
    _ condition: MagicPredicate<Model>, then value: Wrapped?, else other: MagicExpression
  ) -> MagicExpression where Value == Wrapped? {
    when(condition, then: constant(value), else: other)
  }
}
