import MagicEngine
public import Magical
import MagicSchema

// Operators of operands with different types, which only make the compiler's errors name the mistake.
// They are disfavoured, so that the compiler tries them last. Using one of them is an error.

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func == <Model, Value: Magical, Other: Magical>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func == <Model, Value: Magical, Other: Magical>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func == <Model, Value: Magical, Other: Magical>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func != <Model, Value: Magical, Other: Magical>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func != <Model, Value: Magical, Other: Magical>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func != <Model, Value: Magical, Other: Magical>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func < <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func < <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func < <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func <= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func <= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func <= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func > <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func > <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func > <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func >= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func >= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports a comparison of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func >= <Model, Value: MagicalOrdered, Other: MagicalOrdered>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(tree: .null)) }

/// Reports arithmetic of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func + <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func + <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func + <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func - <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func - <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func - <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func * <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func * <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func * <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of an expression and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func / <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of a property and a value with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func / <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicPath<Model, Value>, right: Other
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

/// Reports arithmetic of two expressions with different types.
@_documentation(visibility: internal)
@available(
  *, unavailable,
  message: "the operands have different types; convert a number, as in '$0.$count.as(Double.self)'"
)
@_disfavoredOverload
public func / <Model, Value: MagicalNumeric, Other: MagicalNumeric>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Other>
) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }
