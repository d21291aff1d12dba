public import MagicQuery
public import MagicSchema

// A lazy to-one is compared with an object, as any other to-one is. The row counts, so that nothing
// is fetched.

/// The property refers to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target.self) == object
}

/// The property, which may be nil, refers to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target?.self) == object
}

/// The expression refers to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) == object
}

/// The expression, which may be nil, refers to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) == object
}

/// The property refers to another object.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// The property refers to another object, or to none.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// The expression refers to another object.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}

/// The expression refers to another object, or to none.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}
