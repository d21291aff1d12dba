import MagicEngine
import MagicSchema
import MagicStore

/// What the members of a collection are, asked by indexes: no member is loaded. A member that is in
/// an array twice counts twice; an object that refers to this one twice counts once.
extension MagicExpression where Value: MagicMembers {
  /// There is a member for which the predicate is true.
  public func contains(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    MagicPredicate(members(.exists, predicate))
  }

  /// There is no member for which the predicate is true.
  public func none(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    !contains(predicate)
  }

  /// The predicate is true for every member; true where there is none.
  public func allSatisfy(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    MagicPredicate(.not(members(.exists) { !predicate($0) }))
  }

  /// An object is a member. One that is in no database is an error where the query runs.
  public func contains(_ object: Value.Member) -> MagicPredicate<Model> {
    MagicPredicate(.members(.includes, of: untyped, values: [.object(object)]))
  }

  /// There is no member.
  public var isEmpty: MagicPredicate<Model> {
    MagicPredicate(.not(.members(.exists, of: untyped)))
  }

  /// How many members there are.
  public var count: MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(.members(.count, of: untyped))
  }

  /// For how many members the predicate is true.
  public func count(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(members(.count, predicate))
  }

  private func members(
    _ function: MemberFunction,
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> QueryExpression {
    let scope = RowScopeID.newMember()
    return .members(
      function, of: untyped, matching: scope, predicate(MagicRow(scope: scope)).untyped)
  }
}
