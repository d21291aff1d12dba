import MagicEngine
import MagicSchema

// Integers are computed with 64 bits and become reals beyond them; `/` of integers cuts off. Divided
// by zero is nil: of a type that is not optional a selection throws `.cannotDecode`, an update
// `.constraint`. What an update stores is checked, and rounded to `Float` for properties of that type.

/// The sum of the property and a number.
public func + <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// The sum of the expression and a number.
public func + <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, expression.untyped, QueryExpression(anyValue: value)))
}

/// The sum of two properties.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(left), QueryExpression(right)))
}

/// The sum of two expressions.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, left.untyped, right.untyped))
}

/// The sum of a property and an expression.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, QueryExpression(left), right.untyped))
}

/// The sum of an expression and a property.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.add, left.untyped, QueryExpression(right)))
}

/// The difference of the property and a number.
public func - <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    .arithmetic(.subtract, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// The difference of the expression and a number.
public func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, expression.untyped, QueryExpression(anyValue: value)))
}

/// The difference of two properties.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(left), QueryExpression(right)))
}

/// The difference of two expressions.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, left.untyped, right.untyped))
}

/// The difference of a property and an expression.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, QueryExpression(left), right.untyped))
}

/// The difference of an expression and a property.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.subtract, left.untyped, QueryExpression(right)))
}

/// The product of the property and a number.
public func * <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    .arithmetic(.multiply, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// The product of the expression and a number.
public func * <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, expression.untyped, QueryExpression(anyValue: value)))
}

/// The product of two properties.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(left), QueryExpression(right)))
}

/// The product of two expressions.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, left.untyped, right.untyped))
}

/// The product of a property and an expression.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, QueryExpression(left), right.untyped))
}

/// The product of an expression and a property.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.multiply, left.untyped, QueryExpression(right)))
}

/// The quotient of the property and a number. Divided by zero is nil: where the type is not optional
/// a selection throws `.cannotDecode` and an update `.constraint`.
public func / <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(path), QueryExpression(anyValue: value)))
}

/// The quotient of the expression and a number.
public func / <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, expression.untyped, QueryExpression(anyValue: value)))
}

/// The quotient of two properties.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(left), QueryExpression(right)))
}

/// The quotient of two expressions.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, left.untyped, right.untyped))
}

/// The quotient of a property and an expression.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, QueryExpression(left), right.untyped))
}

/// The quotient of an expression and a property.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.arithmetic(.divide, left.untyped, QueryExpression(right)))
}

/// The number with the other sign.
public prefix func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.negative(expression.untyped))
}
