public import Magical
import MagicSchema

// Nil is a value like any other: `\.$petName != "Rex"` is true of a row without a pet's name, as it
// is in Swift. Values are compared as they are stored, objects by their rows.

/// The property is the value.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, ExpressionCode(path), ExpressionCode(value: value))
}

/// The property is the value, or nil.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, ExpressionCode(path), ExpressionCode(value: value))
}

/// The expression is the value.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.code, ExpressionCode(value: value))
}

/// The expression is the value, or nil.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.code, ExpressionCode(value: value))
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, ExpressionCode(left), ExpressionCode(right))
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.code, right.code)
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, ExpressionCode(left), right.code)
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.code, ExpressionCode(right))
}

/// The property is not the value; nil is not.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.unequal, ExpressionCode(path), ExpressionCode(value: value))
}

/// The property is not the value, or not nil.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.unequal, ExpressionCode(path), ExpressionCode(value: value))
}

/// The expression is not the value; nil is not.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.unequal, expression.code, ExpressionCode(value: value))
}

/// The expression is not the value, or not nil.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.unequal, expression.code, ExpressionCode(value: value))
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.unequal, ExpressionCode(left), ExpressionCode(right))
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.unequal, left.code, right.code)
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.unequal, ExpressionCode(left), right.code)
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.unequal, left.code, ExpressionCode(right))
}

extension MagicExpression where Value == Bool {
  static func comparison(
    _ operation: Operation, _ left: ExpressionCode, _ right: ExpressionCode
  ) -> Self {
    if right.operation == .null, operation == .equal || operation == .unequal {
      return Self(ExpressionCode(operation == .equal ? .isNull : .isNotNull, [left]))
    }
    return Self(ExpressionCode(operation, [left, right]))
  }
}
