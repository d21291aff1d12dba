import MagicEngine
public import MagicExpressions
public import MagicJoins
public import MagicQuery
public import MagicSchema

/// Lazy to-one relationships and the rows of other queries.
extension MagicExpression {
  /// Whether another query finds the object.
  public func `in`<Target: MagicObject>(
    _ query: MagicQuery<Target, MagicUnbound>
  ) -> MagicPredicate<Model> where Value == AsyncMagical<Target> {
    MagicExpression<Model, Target>(self, as: Target.self).in(query)
  }

  /// Whether another query finds the object; false for nil.
  public func `in`<Target: MagicObject>(
    _ query: MagicQuery<Target, MagicUnbound>
  ) -> MagicPredicate<Model> where Value == AsyncMagical<Target>? {
    MagicExpression<Model, Target?>(self, as: Target?.self).in(query)
  }
}

/// Whether a lazy to-one relationship refers to a row of an outer query.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) == row
}

/// Whether an optional lazy to-one relationship refers to a row of an outer query.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) == row
}

/// Whether a lazy to-one relationship does not refer to a row of an outer query.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) != row
}

/// Whether an optional lazy to-one relationship is nil, or does not refer to a row of an outer query.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) != row
}

/// Whether a lazy to-one relationship refers to the second row of a combination.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target.self) == row
}

/// Whether an optional lazy to-one relationship refers to the second row of a combination.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, AsyncMagical<Target>?>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> {
  MagicExpression(expression, as: Target?.self) == row
}
