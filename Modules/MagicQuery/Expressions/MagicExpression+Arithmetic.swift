import MagicSchema

// Integers are computed with 64 bits and become reals beyond them, as SQLite does it; `/` of
// integers cuts off. Divided by zero is nil: of a type that is not optional a selection throws
// `.cannotDecode`, an update `.constraint`. What an update stores is checked, and rounded to `Float`
// for properties of that type.

/// The sum of the property and a number.
public func + <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [ExpressionCode(path), ExpressionCode(anyValue: value)]))
}

/// The sum of the expression and a number.
public func + <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [expression.code, ExpressionCode(anyValue: value)]))
}

/// The sum of two properties.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [ExpressionCode(left), ExpressionCode(right)]))
}

/// The sum of two expressions.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [left.code, right.code]))
}

/// The sum of a property and an expression.
public func + <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [ExpressionCode(left), right.code]))
}

/// The sum of an expression and a property.
public func + <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.add, [left.code, ExpressionCode(right)]))
}

/// The difference of the property and a number.
public func - <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    ExpressionCode(.subtract, [ExpressionCode(path), ExpressionCode(anyValue: value)]))
}

/// The difference of the expression and a number.
public func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.subtract, [expression.code, ExpressionCode(anyValue: value)]))
}

/// The difference of two properties.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.subtract, [ExpressionCode(left), ExpressionCode(right)]))
}

/// The difference of two expressions.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.subtract, [left.code, right.code]))
}

/// The difference of a property and an expression.
public func - <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.subtract, [ExpressionCode(left), right.code]))
}

/// The difference of an expression and a property.
public func - <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.subtract, [left.code, ExpressionCode(right)]))
}

/// The product of the property and a number.
public func * <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(
    ExpressionCode(.multiply, [ExpressionCode(path), ExpressionCode(anyValue: value)]))
}

/// The product of the expression and a number.
public func * <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.multiply, [expression.code, ExpressionCode(anyValue: value)]))
}

/// The product of two properties.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.multiply, [ExpressionCode(left), ExpressionCode(right)]))
}

/// The product of two expressions.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.multiply, [left.code, right.code]))
}

/// The product of a property and an expression.
public func * <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.multiply, [ExpressionCode(left), right.code]))
}

/// The product of an expression and a property.
public func * <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.multiply, [left.code, ExpressionCode(right)]))
}

/// The quotient of the property and a number. Divided by zero is nil: where the type is not optional
/// a selection throws `.cannotDecode` and an update `.constraint`.
public func / <Model, Value: MagicalNumeric>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [ExpressionCode(path), ExpressionCode(anyValue: value)]))
}

/// The quotient of the expression and a number.
public func / <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [expression.code, ExpressionCode(anyValue: value)]))
}

/// The quotient of two properties.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [ExpressionCode(left), ExpressionCode(right)]))
}

/// The quotient of two expressions.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [left.code, right.code]))
}

/// The quotient of a property and an expression.
public func / <Model, Value: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [ExpressionCode(left), right.code]))
}

/// The quotient of an expression and a property.
public func / <Model, Value: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.divide, [left.code, ExpressionCode(right)]))
}

/// The number with the other sign.
public prefix func - <Model, Value: MagicalNumeric>(
  expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(ExpressionCode(.negate, [expression.code]))
}
