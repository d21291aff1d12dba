public import MagicQuery
public import MagicSchema

// A lazy to-one is compared with an object, as any other to-one is. The row counts, so that nothing
// is fetched.

/// The property leads to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target.self) == object
}

/// The property, which may be nil, leads to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target?.self) == object
}

/// The expression leads to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) == object
}

/// The expression, which may be nil, leads to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) == object
}

/// The property leads to another object.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// The property leads to another object, or nowhere.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// The expression leads to another object.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}

/// The expression leads to another object, or nowhere.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}
