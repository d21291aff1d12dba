import MagicEngine
public import MagicQuery
import MagicRelations
import MagicSchema

extension AsyncMagical where Content: MagicMembers {
  /// Removes all members. The next save of the owner writes that with one statement, and also
  /// removes members that others have added until then. An edit is kept and shared like `append(_:)`
  /// of an array.
  public func removeAll() {
    guard let type = Content.self as? any ObjectCollection.Type else { return }
    removeAll(type)
  }

  /// Removes the members for which a predicate is true.
  ///
  /// ```swift
  /// try library.collected.removeAll { $0.$title.hasPrefix("Draft") }
  /// ```
  ///
  /// The database evaluates the predicate when the owner is saved, after the edits before it were
  /// written, for members that others have added too. No member is loaded. Before that, reads
  /// evaluate it with the stored values, and keep objects that are not saved. The edit is kept and
  /// shared like `append(_:)` of an array. The closure is called once, before this method returns.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for an invalid predicate, and `.notSaved` if the
  ///   collection is in memory, because the owner was never saved or a collection was set: use
  ///   `set(_:)` then.
  public func removeAll(
    where predicate: (MagicRow<Content.Member>) -> MagicPredicate<Content.Member>
  ) throws {
    let filter = QueryDescription(where: predicate)
    let query = try PreparedQuery(Content.Member.self, filter, .objects)
    guard let type = Content.self as? any ObjectCollection.Type else { return }
    guard removeMatching(filter, type) else {
      throw MagicError(
        .notSaved,
        "The collection is in memory, where the database cannot evaluate the predicate. Filter the "
          + "collection and call set(_:), or save the owner first. Nothing was changed.",
        type: query.schema.typeName)
    }
  }

  private func removeAll<Value: ObjectCollection>(_ type: Value.Type) {
    reference.edit([.removeAll], of: type)
  }

  private func removeMatching<Value: ObjectCollection>(
    _ filter: QueryDescription, _ type: Value.Type
  ) -> Bool {
    reference.edit([.removeMatching(filter)], of: type)
  }
}
