import MagicEngine
public import MagicRelations
public import MagicSchema

extension AsyncMagical {
  /// Returns whether the array contains an object. No member is loaded.
  ///
  /// - Throws: `MagicError`, with `.missingValue` if the property never had a value, and `.closed`;
  ///   `CancellationError` in a cancelled task.
  /// - Complexity: O(log n): one lookup in an index.
  public func contains<Element: MagicObject>(_ object: Element) async throws -> Bool
  where Content == [Element] { try await hasMember(object) }

  /// Returns whether the set contains an object, like `contains(_:)` of an array.
  public func contains<Element: MagicObject>(_ object: Element) async throws -> Bool
  where Content == MagicalSet<Element> { try await hasMember(object) }
}

extension AsyncMagical where Content: ObjectCollection {
  private func hasMember(_ object: Content.Member) async throws -> Bool {
    switch try resolve() {
    case .content(let content): return Self.hasMember(object, content)
    case .unavailable: return false
    case .row(let row, let lease): return try await hasMember(object, row, lease)
    case .edited(let row, let lease, let edits):
      // The last edit of the object decides; without one, the row does.
      if Self.hasMember(object, edits(Content(members: [], keys: nil, start: 0))) { return true }
      let one = edits(Content(members: [object], keys: nil, start: 0))
      return Self.hasMember(object, one) ? try await hasMember(object, row, lease) : false
    }
  }

  private static func hasMember(_ object: Content.Member, _ content: Content) -> Bool {
    MagicalSet(content.membersAndKeys.members).contains(object)
  }

  private func hasMember(
    _ object: Content.Member, _ row: LazyRow, _ lease: StoreLease?
  ) async throws -> Bool {
    guard let identity = object.rowIdentity, identity.store == row.identity.store,
      let index = row.collectionIndex
    else { return false }
    return try await reading(row, lease) {
      try $0.hasMember(identity.zIndex.rawValue, of: row.zIndex, in: index, of: row.owner)
    }
  }
}
