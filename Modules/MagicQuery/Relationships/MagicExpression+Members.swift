import MagicRuntime
import MagicSchema
import MagicStore

/// What the members of a collection are, asked by indexes: no member is loaded. A member that is in
/// an array twice counts twice; an object that leads to this one twice counts once.
extension MagicExpression where Value: MagicMembers {
  /// There is a member for which the predicate is true.
  public func contains(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicPredicate<Model> {
    MagicPredicate(members(.hasMemberWhere, predicate))
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
    MagicPredicate(ExpressionCode(.not, [members(.hasMemberExcept, predicate)]))
  }

  /// An object is a member. One that is in no database is an error where the query runs.
  public func contains(_ object: Value.Member) -> MagicPredicate<Model> {
    MagicPredicate(ExpressionCode(.hasObject, [code], values: [.object(object)]))
  }

  /// There is no member.
  public var isEmpty: MagicPredicate<Model> {
    MagicPredicate(ExpressionCode(.not, [ExpressionCode(.hasMember, [code])]))
  }

  /// How many members there are.
  public var count: MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(ExpressionCode(.memberCount, [code]))
  }

  /// For how many members the predicate is true.
  public func count(
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(members(.memberCountWhere, predicate))
  }

  private func members(
    _ operation: Operation,
    _ predicate: (MagicRow<Value.Member>) -> MagicPredicate<Value.Member>
  ) -> ExpressionCode {
    let scope = ScopeNumbers.next()
    return ExpressionCode(
      operation, fixed: [scope], [code, predicate(MagicRow(scope: scope)).code])
  }
}

/// Tells closures apart that are inside each other.
private enum ScopeNumbers {
  private static let lock = Lock().heldAcrossForks()
  private nonisolated(unsafe) static var last = Scope.firstOfMembers

  static func next() -> Int {
    lock.withLock {
      last += 1
      return last
    }
  }
}
