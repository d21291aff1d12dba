import MagicEngine
import MagicSchema
import MagicStore

/// Predicates on the members of a collection. The database evaluates them with indexes; no member
/// is loaded. A member that an array contains twice is counted twice. An object that refers to this
/// one twice is counted once in the inverse relationship.
extension MagicExpression where Value: MagicMembers {
  /// Whether the predicate is true for at least one member.
  public func contains(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    MagicPredicate(members(.exists, predicate))
  }

  /// Whether the predicate is true for no member.
  public func none(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    !contains(predicate)
  }

  /// Whether the predicate is true for every member; true if there are no members.
  public func allSatisfy(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    MagicPredicate(.not(members(.exists) { !predicate($0) }))
  }

  /// Whether an object is a member. An object that is not saved makes the query throw when it runs.
  public func contains(_ object: Value.Member) -> MagicPredicate<Model> {
    MagicPredicate(.members(.includes, of: untyped, values: [.object(object)]))
  }

  /// Whether a row of an outer query is a member.
  public func contains(_ row: MagicRow<Value.Member>) -> MagicPredicate<Model> {
    contains { .comparison(.equal, $0.zIndex.untyped, row.zIndex.untyped) }
  }

  /// Whether there are no members.
  public var isEmpty: MagicPredicate<Model> {
    MagicPredicate(.not(.members(.exists, of: untyped)))
  }

  /// The number of members.
  public var count: MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(.members(.count, of: untyped))
  }

  /// Returns the number of members for which the predicate is true.
  public func count(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(members(.count, predicate))
  }

  func members<Computed>(
    _ function: MemberFunction,
    _ predicate: (MagicRow<Value.Member>) -> MagicExpression<Value.Member, Computed>,
    separator: String? = nil
  ) -> QueryExpression {
    let scope = RowScopeID.newMember()
    return .members(
      function, of: untyped, matching: scope, predicate(MagicRow(scope: scope)).untyped,
      separator: separator)
  }
}
