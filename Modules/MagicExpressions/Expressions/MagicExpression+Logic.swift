import MagicEngine
import MagicSchema

/// Whether both predicates are true.
public func && <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(.and(left.untyped, right.untyped))
}

/// Whether at least one of the predicates is true.
public func || <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(.or(left.untyped, right.untyped))
}

/// Whether the predicate is not true.
public prefix func ! <Model>(predicate: MagicPredicate<Model>) -> MagicPredicate<Model> {
  MagicPredicate(.not(predicate.untyped))
}

/// Whether the property is false.
public prefix func ! <Model>(path: MagicPath<Model, Bool>) -> MagicPredicate<Model> {
  MagicPredicate(.not(QueryExpression(path)))
}

/// Whether the property and the predicate are true.
public func && <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(path)) && predicate }

/// Whether the predicate and the property are true.
public func && <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate && MagicPredicate(QueryExpression(path)) }

/// Whether the property or the predicate is true.
public func || <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(QueryExpression(path)) || predicate }

/// Whether the predicate or the property is true.
public func || <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate || MagicPredicate(QueryExpression(path)) }
