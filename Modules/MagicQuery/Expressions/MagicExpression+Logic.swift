import MagicSchema

/// Both are true.
public func && <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(ExpressionCode(.and, joining: left.code, right.code))
}

/// One of both is true.
public func || <Model>(
  left: MagicPredicate<Model>, right: MagicPredicate<Model>
) -> MagicPredicate<Model> {
  MagicPredicate(ExpressionCode(.or, joining: left.code, right.code))
}

/// It is not true.
public prefix func ! <Model>(predicate: MagicPredicate<Model>) -> MagicPredicate<Model> {
  MagicPredicate(ExpressionCode(.not, [predicate.code]))
}

/// The property is false.
public prefix func ! <Model>(path: MagicPath<Model, Bool>) -> MagicPredicate<Model> {
  MagicPredicate(ExpressionCode(.not, [ExpressionCode(path)]))
}

/// The property and the predicate are true.
public func && <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(ExpressionCode(path)) && predicate }

/// The predicate and the property are true.
public func && <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate && MagicPredicate(ExpressionCode(path)) }

/// The property or the predicate is true.
public func || <Model>(
  path: MagicPath<Model, Bool>, predicate: MagicPredicate<Model>
) -> MagicPredicate<Model> { MagicPredicate(ExpressionCode(path)) || predicate }

/// The predicate or the property is true.
public func || <Model>(
  predicate: MagicPredicate<Model>, path: MagicPath<Model, Bool>
) -> MagicPredicate<Model> { predicate || MagicPredicate(ExpressionCode(path)) }
