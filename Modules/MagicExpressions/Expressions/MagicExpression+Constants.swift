import MagicEngine
public import Magical
import MagicSchema

// Operators with a value as the left operand: `18 < $0.$age`, `1 - $0.$discount`. The comparisons are
// disfavoured, so that the compiler tries them last. Otherwise it needs several times as long for
// comparisons of plain values in files that import this module.

/// Whether the value equals the property.
@_disfavoredOverload
public func == <Model, Value: Magical>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the value equals the optional property. Nil equals nil.
@_disfavoredOverload
public func == <Model, Value: Magical>(
  value: Value?, path: MagicPath<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the value equals the expression.
@_disfavoredOverload
public func == <Model, Value: Magical>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// Whether the value equals the optional expression. Nil equals nil.
@_disfavoredOverload
public func == <Model, Value: Magical>(
  value: Value?, expression: MagicExpression<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// Whether the value differs from the property.
@_disfavoredOverload
public func != <Model, Value: Magical>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the value differs from the optional property. Nil equals nil.
@_disfavoredOverload
public func != <Model, Value: Magical>(
  value: Value?, path: MagicPath<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the value differs from the expression.
@_disfavoredOverload
public func != <Model, Value: Magical>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// Whether the value differs from the optional expression. Nil equals nil.
@_disfavoredOverload
public func != <Model, Value: Magical>(
  value: Value?, expression: MagicExpression<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// Whether the value is less than the property.
@_disfavoredOverload
public func < <Model, Value: MagicalOrdered>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the value is less than the expression.
@_disfavoredOverload
public func < <Model, Value: MagicalOrdered>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greater, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the value is less than or equal to the property.
@_disfavoredOverload
public func <= <Model, Value: MagicalOrdered>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the value is less than or equal to the expression.
@_disfavoredOverload
public func <= <Model, Value: MagicalOrdered>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.greaterOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the value is greater than the property.
@_disfavoredOverload
public func > <Model, Value: MagicalOrdered>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the value is greater than the expression.
@_disfavoredOverload
public func > <Model, Value: MagicalOrdered>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.less, expression.untyped, QueryExpression(anyValue: value))
}

/// Whether the value is greater than or equal to the property.
@_disfavoredOverload
public func >= <Model, Value: MagicalOrdered>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, QueryExpression(path), QueryExpression(anyValue: value))
}

/// Whether the value is greater than or equal to the expression.
@_disfavoredOverload
public func >= <Model, Value: MagicalOrdered>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.lessOrEqual, expression.untyped, QueryExpression(anyValue: value))
}

/// Returns the sum of a number and a property.
public func + <Model, Value: MagicalNumeric>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(anyValue: value), QueryExpression(path)))
}

/// Returns the sum of a number and an expression.
public func + <Model, Value: MagicalNumeric>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(anyValue: value), expression.untyped))
}

/// Returns a number minus a property.
public func - <Model, Value: MagicalNumeric>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(anyValue: value), QueryExpression(path)))
}

/// Returns a number minus an expression.
public func - <Model, Value: MagicalNumeric>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(anyValue: value), expression.untyped))
}

/// Returns the product of a number and a property.
public func * <Model, Value: MagicalNumeric>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(anyValue: value), QueryExpression(path)))
}

/// Returns the product of a number and an expression.
public func * <Model, Value: MagicalNumeric>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(anyValue: value), expression.untyped))
}

/// Returns a number divided by a property. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(anyValue: value), QueryExpression(path)))
}

/// Returns a number divided by an expression. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(anyValue: value), expression.untyped))
}

/// Returns the remainder of a number divided by a property. A division by zero results in nil.
public func % <Model, Value: MagicalInteger>(
  value: Value, path: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, QueryExpression(anyValue: value), QueryExpression(path)))
}

/// Returns the remainder of a number divided by an expression. A division by zero results in nil.
public func % <Model, Value: MagicalInteger>(
  value: Value, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.remainder, QueryExpression(anyValue: value), expression.untyped))
}
