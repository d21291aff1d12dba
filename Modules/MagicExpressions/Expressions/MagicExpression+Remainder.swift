import MagicEngine
import MagicSchema

// The remainder of a division of integers. It has the sign of the dividend. A division by zero
// results in nil.

/// Returns the remainder of a property divided by a number.
public func % <Model, Value: MagicalInteger>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// Returns the remainder of an expression divided by a number.
public func % <Model, Value: MagicalInteger>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, expression.untyped, QueryExpression(anyValue: value)))
}

/// Returns the remainder of the first property divided by the second.
public func % <Model, Value: MagicalInteger>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, QueryExpression(left), QueryExpression(right)))
}

/// Returns the remainder of the first expression divided by the second.
public func % <Model, Value: MagicalInteger>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, left.untyped, right.untyped))
}

/// Returns the remainder of a property divided by an expression.
public func % <Model, Value: MagicalInteger>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, QueryExpression(left), right.untyped))
}

/// Returns the remainder of an expression divided by a property.
public func % <Model, Value: MagicalInteger>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, left.untyped, QueryExpression(right)))
}
