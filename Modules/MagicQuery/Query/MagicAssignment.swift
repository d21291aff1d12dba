import MagicEngine
public import Magical
public import MagicSchema

/// The new value of one property in an update: `\.$n += 1`, `.set(\.$name, to: "x")`.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// try await people.where(\.$name == "Ada").update(set: .set(\.$petName, to: "Rex"), \.$age += 1)
/// ```
public struct MagicAssignment<Model: MagicObject>: Sendable {
  let column: QueryExpression
  let value: QueryExpression

  /// Sets a property to a value.
  public static func set<Value: Magical>(_ path: MagicPath<Model, Value>, to value: Value) -> Self {
    Self(column: QueryExpression(path), value: QueryExpression(value: value))
  }

  /// Sets a property to a value, or to nil.
  public static func set<Value: Magical>(
    _ path: MagicPath<Model, Value?>, to value: Value?
  ) -> Self {
    Self(column: QueryExpression(path), value: QueryExpression(value: value))
  }

  /// Sets a property to an expression, which is computed from the row before the update.
  public static func set<Value>(
    _ path: MagicPath<Model, Value>, to value: MagicExpression<Model, Value>
  ) -> Self {
    Self(column: QueryExpression(path), value: value.untyped)
  }

  /// Sets a property to the expression that the closure returns. The expression is computed from
  /// the row before the update.
  public static func set<Value>(
    _ path: MagicPath<Model, Value>, to value: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    .set(path, to: value(MagicRow(scope: .root)))
  }
}

/// Adds a number to a property.
public func += <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path + value) }

/// Adds a number to a property.
public func += <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path + value) }

/// Subtracts a number from a property.
public func -= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path - value) }

/// Subtracts a number from a property.
public func -= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path - value) }

/// Multiplies a property by a number.
public func *= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path * value) }

/// Multiplies a property by a number.
public func *= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path * value) }
