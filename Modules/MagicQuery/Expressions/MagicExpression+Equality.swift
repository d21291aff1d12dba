import MagicEngine
public import Magical
import MagicSchema

// Nil is a value like any other: `\.$petName != "Rex"` is true of a row without a pet's name, as it
// is in Swift. Values are compared as they are stored, objects by their rows.

/// The property is the value.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// The property is the value, or nil.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// The expression is the value.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// The expression is the value, or nil.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(left), QueryExpression(right))
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, right.untyped)
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(left), right.untyped)
}

/// The two are equal; nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, QueryExpression(right))
}

/// The property is not the value; nil is not.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// The property is not the value, or not nil.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// The expression is not the value; nil is not.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// The expression is not the value, or not nil.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(left), QueryExpression(right))
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, right.untyped)
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(left), right.untyped)
}

/// The two differ; nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, QueryExpression(right))
}

extension MagicExpression where Value == Bool {
  static func comparison(
    _ comparison: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
  ) -> Self {
    if case .null = right.tree, right.error == nil {
      if comparison == .equal { return Self(.isNull(left)) }
      if comparison == .notEqual { return Self(.isNotNull(left)) }
    }
    return Self(.comparison(comparison, left, right))
  }
}
