import MagicEngine
import MagicSchema

// A comparison with nil is false, whatever it is compared with.

/// The property lies before the value.
public func < <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(path), QueryExpression(anyValue: value))
}

/// The expression lies before the value.
public func < <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.less, expression.untyped, QueryExpression(anyValue: value))
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(left), QueryExpression(right))
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, left.untyped, right.untyped)
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(left), right.untyped)
}

/// The first lies before the second.
public func < <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, left.untyped, QueryExpression(right))
}

/// The property lies before or at the value.
public func <= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// The expression lies before or at the value.
public func <= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(left), QueryExpression(right))
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, left.untyped, right.untyped)
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(left), right.untyped)
}

/// The first lies before or at the second.
public func <= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, left.untyped, QueryExpression(right))
}

/// The property lies behind the value.
public func > <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(path), QueryExpression(anyValue: value))
}

/// The expression lies behind the value.
public func > <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greater, expression.untyped, QueryExpression(anyValue: value))
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(left), QueryExpression(right))
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, left.untyped, right.untyped)
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(left), right.untyped)
}

/// The first lies behind the second.
public func > <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, left.untyped, QueryExpression(right))
}

/// The property lies behind or at the value.
public func >= <Model, Value: MagicalOrdered>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// The expression lies behind or at the value.
public func >= <Model, Value: MagicalOrdered>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(left), QueryExpression(right))
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, left.untyped, right.untyped)
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(left), right.untyped)
}

/// The first lies behind or at the second.
public func >= <Model, Value: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, left.untyped, QueryExpression(right))
}
