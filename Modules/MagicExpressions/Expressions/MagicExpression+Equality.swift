import MagicEngine
public import Magical
import MagicSchema

// Nil is compared as in Swift, not as NULL in SQL: `\.$petName != "Rex"` is true for a row whose
// pet name is nil. Values are compared by their stored forms, objects by their row IDs.

/// Whether the property equals the value.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the optional property equals the value. Nil equals nil.
public func == <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the expression equals the value.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// Whether the optional expression equals the value. Nil equals nil.
public func == <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, QueryExpression(value: value))
}

/// Whether both operands are equal. Nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(left), QueryExpression(right))
}

/// Whether both operands are equal. Nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, right.untyped)
}

/// Whether both operands are equal. Nil equals nil.
public func == <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, QueryExpression(left), right.untyped)
}

/// Whether both operands are equal. Nil equals nil.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, QueryExpression(right))
}

/// Whether the property differs from the value. Nil differs from every value.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the optional property differs from the value. Nil equals nil, and differs from every
/// other value.
public func != <Model, Value: Magical>(
  path: MagicPath<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(path), QueryExpression(value: value))
}

/// Whether the expression differs from the value. Nil differs from every value.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value>, value: Value
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// Whether the optional expression differs from the value. Nil equals nil, and differs from every
/// other value.
public func != <Model, Value: Magical>(
  expression: MagicExpression<Model, Value?>, value: Value?
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, QueryExpression(value: value))
}

/// Whether the operands differ. Nil equals nil, and differs from every other value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(left), QueryExpression(right))
}

/// Whether the operands differ. Nil equals nil, and differs from every other value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, right.untyped)
}

/// Whether the operands differ. Nil equals nil, and differs from every other value.
public func != <Model, Value>(
  left: MagicPath<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, QueryExpression(left), right.untyped)
}

/// Whether the operands differ. Nil equals nil, and differs from every other value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicPath<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, QueryExpression(right))
}

/// Whether both operands are equal. Nil differs from every value.
public func == <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, right.untyped)
}

/// Whether both operands are equal. Nil differs from every value.
public func == <Model, Value>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.equal, left.untyped, right.untyped)
}

/// Whether the operands differ. Nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value?>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, right.untyped)
}

/// Whether the operands differ. Nil differs from every value.
public func != <Model, Value>(
  left: MagicExpression<Model, Value?>, right: MagicExpression<Model, Value>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, left.untyped, right.untyped)
}

extension MagicExpression where Value == Bool {
  package static func comparison(
    _ comparison: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
  ) -> Self {
    if case .null = right.tree, right.error == nil {
      if comparison == .equal { return Self(.isNull(left)) }
      if comparison == .notEqual { return Self(.isNotNull(left)) }
    }
    return Self(.comparison(comparison, left, right))
  }
}
