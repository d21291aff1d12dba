public import MagicQuery
public import MagicSchema

// A lazy to-one relationship is compared with an object like any other to-one relationship. The
// comparison uses row IDs, so nothing is fetched.

/// Returns whether the property refers to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target.self) == object
}

/// Returns whether the property, which may be nil, refers to the object.
public func == <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(path, as: Target?.self) == object
}

/// Returns whether the expression refers to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) == object
}

/// Returns whether the expression, which may be nil, refers to the object.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) == object
}

/// Returns whether the property refers to another object.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// Returns whether the property refers to another object, or to none.
public func != <Model, Target: MagicObject>(
  path: MagicPath<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(path == object)
}

/// Returns whether the expression refers to another object.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}

/// Returns whether the expression refers to another object, or to none.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, object: Target
) -> MagicPredicate<Model> {
  !(expression == object)
}
