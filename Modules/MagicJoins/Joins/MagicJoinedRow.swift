import MagicEngine
public import MagicQuery
public import MagicSchema

/// The second row of a combination of rows, as an argument of a closure: `{ order, invoice in
/// order.$number == invoice.$order }`. Its members are the properties of its type, as expressions of
/// the query.
@dynamicMemberLookup
public struct MagicJoinedRow<Model: MagicObject, Joined: MagicObject>: Sendable {
  let scope: RowScopeID

  /// A property of the row.
  public subscript<Value>(
    dynamicMember path: MagicPath<Joined, Value>
  ) -> MagicExpression<Model, Value> {
    MagicExpression(QueryExpression(path, scope: scope))
  }

  /// The row ID of the row.
  public var zIndex: MagicExpression<Model, ZIndex> {
    MagicExpression(MagicRow<Joined>(scope: scope).zIndex.untyped)
  }

  /// The object of the row, for selections.
  public var object: MagicExpression<Model, Joined> {
    MagicExpression(zIndex, as: Joined.self)
  }
}

/// Whether a to-one relationship refers to the second row of a combination.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> {
  MagicPredicate(.comparison(.equal, expression.untyped, row.zIndex.untyped))
}

/// Whether an optional to-one relationship refers to the second row of a combination.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target?>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> {
  MagicPredicate(.comparison(.equal, expression.untyped, row.zIndex.untyped))
}

/// Whether a to-one relationship does not refer to the second row of a combination.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> { !(expression == row) }

/// Whether an optional to-one relationship is nil, or does not refer to the second row of a
/// combination.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target?>, row: MagicJoinedRow<Model, Target>
) -> MagicPredicate<Model> { !(expression == row) }
