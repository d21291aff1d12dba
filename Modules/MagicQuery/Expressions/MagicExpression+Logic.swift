import MagicEngine
import MagicSchema

/// Both are true.
public func && <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(.and(left.untyped, right.untyped))
}

/// One of both is true.
public func || <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(.or(left.untyped, right.untyped))
}

/// It is not true.
public prefix func ! <Model>(predicate: MagicPredicate<Model>) -> MagicPredicate<Model> {
  MagicPredicate(.not(predicate.untyped))
}

/// The property is false.
public prefix func ! <Model>(path: MagicPath<Model, Bool>) -> MagicPredicate<Model> {
  MagicPredicate(.not(QueryExpression(path)))
}

/// The property and the predicate are true.
public func && <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(path)) && predicate }

/// The predicate and the property are true.
public func && <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate && MagicPredicate(QueryExpression(path)) }

/// The property or the predicate is true.
public func || <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(path)) || predicate }

/// The predicate or the property is true.
public func || <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate || MagicPredicate(QueryExpression(path)) }
