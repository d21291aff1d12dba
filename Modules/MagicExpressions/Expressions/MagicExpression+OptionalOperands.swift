import MagicEngine
import MagicSchema

// Arithmetic of a number and an optional number of the same type. It results in nil if the optional
// number is nil.

/// Returns the sum of a number and an optional number.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.add, left.untyped, right.untyped))
}

/// Returns the sum of an optional number and a number.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.add, left.untyped, right.untyped))
}

/// Returns a number minus an optional number.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.subtract, left.untyped, right.untyped))
}

/// Returns an optional number minus a number.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.subtract, left.untyped, right.untyped))
}

/// Returns the product of a number and an optional number.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.multiply, left.untyped, right.untyped))
}

/// Returns the product of an optional number and a number.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.multiply, left.untyped, right.untyped))
}

/// Returns a number divided by an optional number. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.divide, left.untyped, right.untyped))
}

/// Returns an optional number divided by a number. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value?> {
  MagicExpression<Model, Value?>(.arithmetic(.divide, left.untyped, right.untyped))
}
