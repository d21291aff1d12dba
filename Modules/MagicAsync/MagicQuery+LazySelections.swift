import MagicEngine
public import MagicExpressions
public import MagicQuery
public import MagicSchema

/// Objects that lazy to-one relationships refer to, as selected values and as keys of groups. They
/// are loaded with the result.
extension MagicQuery {
  /// Selects the object that a lazy to-one relationship refers to.
  public func select<Target: MagicObject>(
    _ path: MagicPath<Model, AsyncMagical<Target>>
  ) -> MagicSelection<Model, Target, Source> {
    select { MagicExpression<Model, Target>($0[dynamicMember: path], as: Target.self) }
  }

  /// Selects the object that an optional lazy to-one relationship refers to, or nil.
  public func select<Target: MagicObject>(
    _ path: MagicPath<Model, AsyncMagical<Target>?>
  ) -> MagicSelection<Model, Target?, Source> {
    select { MagicExpression<Model, Target?>($0[dynamicMember: path], as: Target?.self) }
  }

  /// Groups the rows by the object that a lazy to-one relationship refers to.
  public func grouped<Target: MagicObject>(
    by path: MagicPath<Model, AsyncMagical<Target>>
  ) -> MagicGroups<Model, Target, Source> {
    grouped { MagicExpression<Model, Target>($0[dynamicMember: path], as: Target.self) }
  }

  /// Groups the rows by the object that an optional lazy to-one relationship refers to, or nil.
  public func grouped<Target: MagicObject>(
    by path: MagicPath<Model, AsyncMagical<Target>?>
  ) -> MagicGroups<Model, Target?, Source> {
    grouped { MagicExpression<Model, Target?>($0[dynamicMember: path], as: Target?.self) }
  }
}
