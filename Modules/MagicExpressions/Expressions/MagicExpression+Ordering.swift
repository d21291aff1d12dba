import MagicEngine
import MagicSchema

// A comparison with nil is always false. Of two expressions, one may be optional.

/// Whether the property is less than the value.
public func < <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the expression is less than the value.
public func < <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the first operand is less than the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(left), QueryExpression(right))
}

/// Whether the first operand is less than the second.
public func < <Model, Left: MagicalOrdered, Right: MagicalOrdered>(
  left: MagicExpression<Model, Left>, right: MagicExpression<Model, Right>
) -> MagicPredicate<Model> where Left.OrderedValue == Right.OrderedValue {
  .comparison(.less, left.untyped, right.untyped)
}

/// Whether the first operand is less than the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(left), right.untyped)
}

/// Whether the first operand is less than the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, left.untyped, QueryExpression(right))
}

/// Whether the property is less than or equal to the value.
public func <= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the expression is less than or equal to the value.
public func <= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the first operand is less than or equal to the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(left), QueryExpression(right))
}

/// Whether the first operand is less than or equal to the second.
public func <= <Model, Left: MagicalOrdered, Right: MagicalOrdered>(
  left: MagicExpression<Model, Left>, right: MagicExpression<Model, Right>
) -> MagicPredicate<Model> where Left.OrderedValue == Right.OrderedValue {
  .comparison(.lessOrEqual, left.untyped, right.untyped)
}

/// Whether the first operand is less than or equal to the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(left), right.untyped)
}

/// Whether the first operand is less than or equal to the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, left.untyped, QueryExpression(right))
}

/// Whether the property is greater than the value.
public func > <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the expression is greater than the value.
public func > <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the first operand is greater than the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(left), QueryExpression(right))
}

/// Whether the first operand is greater than the second.
public func > <Model, Left: MagicalOrdered, Right: MagicalOrdered>(
  left: MagicExpression<Model, Left>, right: MagicExpression<Model, Right>
) -> MagicPredicate<Model> where Left.OrderedValue == Right.OrderedValue {
  .comparison(.greater, left.untyped, right.untyped)
}

/// Whether the first operand is greater than the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(left), right.untyped)
}

/// Whether the first operand is greater than the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, left.untyped, QueryExpression(right))
}

/// Whether the property is greater than or equal to the value.
public func >= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the expression is greater than or equal to the value.
public func >= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the first operand is greater than or equal to the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(left), QueryExpression(right))
}

/// Whether the first operand is greater than or equal to the second.
public func >= <Model, Left: MagicalOrdered, Right: MagicalOrdered>(
  left: MagicExpression<Model, Left>, right: MagicExpression<Model, Right>
) -> MagicPredicate<Model> where Left.OrderedValue == Right.OrderedValue {
  .comparison(.greaterOrEqual, left.untyped, right.untyped)
}

/// Whether the first operand is greater than or equal to the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(left), right.untyped)
}

/// Whether the first operand is greater than or equal to the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, left.untyped, QueryExpression(right))
}
