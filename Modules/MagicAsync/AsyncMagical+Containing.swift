import MagicEngine
public import MagicRelations
public import MagicSchema
public import MagicStore

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

  /// Returns whether the array that a store, a snapshot or a transaction sees contains an object.
  ///
  /// - Throws: `MagicError`, as `contains(_:)`, and `.notSaved` if the owner is in another database.
  @available(*, noasync, message: "this call blocks the thread; in a task, use contains(_:)")
  public func contains<Element: MagicObject>(
    _ object: Element, in reader: borrowing some MagicDatabaseReader & ~Copyable
  ) throws -> Bool where Content == [Element] { try hasMember(object, reader) }

  /// Returns whether the set that a store, a snapshot or a transaction sees contains an object.
  ///
  /// - Throws: `MagicError`, as `contains(_:)`, and `.notSaved` if the owner is in another database.
  @available(*, noasync, message: "this call blocks the thread; in a task, use contains(_:)")
  public func contains<Element: MagicObject>(
    _ object: Element, in reader: borrowing some MagicDatabaseReader & ~Copyable
  ) throws -> Bool where Content == MagicalSet<Element> { try hasMember(object, reader) }
}

extension AsyncMagical where Content: ObjectCollection {
  private func hasMember(_ object: Content.Member) async throws -> Bool {
    switch try resolve() {
    case .content(let content): return Self.hasMember(object, content)
    case .unavailable: return false
    case .row(let row, let lease, let edits):
      let edits = edits.of(Content.Member.self) ?? []
      return try await reading(row, lease) {
        try $0.hasMember(object, of: row, applying: edits)
      }
    }
  }

  private func hasMember(
    _ object: Content.Member, _ reader: borrowing some MagicDatabaseReader & ~Copyable
  ) throws -> Bool {
    try reader._read { access in
      switch try resolve(for: access.reader) {
      case .content(let content): return Self.hasMember(object, content)
      case .unavailable: return false
      case .row(let row, _, let edits):
        try row.check(access.reader)
        return try access.reader.hasMember(
          object, of: row, applying: edits.of(Content.Member.self) ?? [])
      }
    }
  }

  private static func hasMember(_ object: Content.Member, _ content: Content) -> Bool {
    MagicalSet(content.membersAndKeys.members).contains(object)
  }
}
