import MagicEngine
import MagicSchema

// Integers have 64 bits. The query throws `.cannotEncode` if a result is outside that range. `/` of
// integers truncates. A division by zero results in nil. If the type is not optional, a selection
// then throws `.cannotDecode` and an update throws `.constraint`. When an update stores a result,
// its range is checked. For a `Float` property, it is rounded to `Float`.

/// Returns the sum of a property and a number.
public func + <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// Returns the sum of an expression and a number.
public func + <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, expression.untyped, QueryExpression(anyValue: value)))
}

/// Returns the sum of two properties.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(left), QueryExpression(right)))
}

/// Returns the sum of two expressions.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, left.untyped, right.untyped))
}

/// Returns the sum of a property and an expression.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(left), right.untyped))
}

/// Returns the sum of an expression and a property.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, left.untyped, QueryExpression(right)))
}

/// Returns a property minus a number.
public func - <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    .arithmetic(.subtract, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// Returns an expression minus a number.
public func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, expression.untyped, QueryExpression(anyValue: value)))
}

/// Returns the first property minus the second.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(left), QueryExpression(right)))
}

/// Returns the first expression minus the second.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, left.untyped, right.untyped))
}

/// Returns a property minus an expression.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(left), right.untyped))
}

/// Returns an expression minus a property.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, left.untyped, QueryExpression(right)))
}

/// Returns the product of a property and a number.
public func * <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    .arithmetic(.multiply, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// Returns the product of an expression and a number.
public func * <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, expression.untyped, QueryExpression(anyValue: value)))
}

/// Returns the product of two properties.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(left), QueryExpression(right)))
}

/// Returns the product of two expressions.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, left.untyped, right.untyped))
}

/// Returns the product of a property and an expression.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(left), right.untyped))
}

/// Returns the product of an expression and a property.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, left.untyped, QueryExpression(right)))
}

/// Returns a property divided by a number. A division by zero results in nil. If the type is not
/// optional, a selection then throws `.cannotDecode` and an update throws `.constraint`.
public func / <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// Returns an expression divided by a number. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, expression.untyped, QueryExpression(anyValue: value)))
}

/// Returns the first property divided by the second. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(left), QueryExpression(right)))
}

/// Returns the first expression divided by the second. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, left.untyped, right.untyped))
}

/// Returns a property divided by an expression. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(left), right.untyped))
}

/// Returns an expression divided by a property. A division by zero results in nil.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, left.untyped, QueryExpression(right)))
}

/// Returns the negated number.
public prefix func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.negative(expression.untyped))
}
