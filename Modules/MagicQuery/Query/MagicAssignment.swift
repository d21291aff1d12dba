import MagicEngine
public import Magical
public import MagicSchema

/// What an update sets one property to: `\.$n += 1`, `.set(\.$name, to: "x")`.
public struct MagicAssignment<Model: MagicObject>: Sendable {
  let column: QueryExpression
  let value: QueryExpression

  /// A property gets a value.
  public static func set<Value: Magical>(_ path: MagicPath<Model, Value>, to value: Value) -> Self {
    Self(column: QueryExpression(path), value: QueryExpression(value: value))
  }

  /// A property gets a value, or nil.
  public static func set<Value: Magical>(
    _ path: MagicPath<Model, Value?>, to value: Value?
  ) -> Self {
    Self(column: QueryExpression(path), value: QueryExpression(value: value))
  }

  /// A property gets what is computed of its row, as it was before the update.
  public static func set<Value>(
    _ path: MagicPath<Model, Value>, to value: MagicExpression<Model, Value>
  ) -> Self {
    Self(column: QueryExpression(path), value: value.untyped)
  }

  /// A property gets what the closure makes of its row, as it was before the update.
  public static func set<Value>(
    _ path: MagicPath<Model, Value>, to value: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    .set(path, to: value(MagicRow(scope: .root)))
  }
}

/// The number goes up.
public func += <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path + value) }

/// The number goes up.
public func += <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path + value) }

/// The number goes down.
public func -= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path - value) }

/// The number goes down.
public func -= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path - value) }

/// The number is multiplied.
public func *= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicAssignment<Model> { .set(path, to: path * value) }

/// The number is multiplied.
public func *= <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: MagicExpression<Model, Value>
) -> MagicAssignment<Model> { .set(path, to: path * value) }
