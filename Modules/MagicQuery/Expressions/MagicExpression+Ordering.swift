import MagicSchema

// A comparison with nil is false, whatever it is compared with.

/// The property lies before the value.
public func < <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, ExpressionCode(path), ExpressionCode(anyValue: value))
}

/// The expression lies before the value.
public func < <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, expression.code, ExpressionCode(anyValue: value))
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, ExpressionCode(left), ExpressionCode(right))
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, left.code, right.code)
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, ExpressionCode(left), right.code)
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, left.code, ExpressionCode(right))
}

/// The property lies before or at the value.
public func <= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, ExpressionCode(path), ExpressionCode(anyValue: value))
}

/// The expression lies before or at the value.
public func <= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, expression.code, ExpressionCode(anyValue: value))
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, ExpressionCode(left), ExpressionCode(right))
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, left.code, right.code)
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, ExpressionCode(left), right.code)
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, left.code, ExpressionCode(right))
}

/// The property lies behind the value.
public func > <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, ExpressionCode(path), ExpressionCode(anyValue: value))
}

/// The expression lies behind the value.
public func > <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, expression.code, ExpressionCode(anyValue: value))
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, ExpressionCode(left), ExpressionCode(right))
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, left.code, right.code)
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, ExpressionCode(left), right.code)
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, left.code, ExpressionCode(right))
}

/// The property lies behind or at the value.
public func >= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, ExpressionCode(path), ExpressionCode(anyValue: value))
}

/// The expression lies behind or at the value.
public func >= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, expression.code, ExpressionCode(anyValue: value))
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, ExpressionCode(left), ExpressionCode(right))
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, left.code, right.code)
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, ExpressionCode(left), right.code)
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, left.code, ExpressionCode(right))
}
