import MagicEngine
public import MagicQuery
public import MagicRelations
public import MagicSchema
public import MagicStore
import Magical

extension AsyncMagical where Content: MagicMembers {
  /// The current number of members. 0 if the property is nil or the owner no longer exists.
  ///
  /// - Throws: `MagicError`, with `.missingValue` if the property never had a value, and `.closed`;
  ///   `CancellationError` in a cancelled task.
  /// - Complexity: O(n) in the number of members, which are counted in one index. No member is
  ///   loaded.
  public var count: Int {
    get async throws {
      switch try resolve() {
      case .content(let content): return Self.count(content)
      case .unavailable: return 0
      case .row(let row, let lease, let edits):
        return try await reading(row, lease) { try Self.count(row, edits, $0) }
      }
    }
  }

  /// Returns the number of members that a store, a snapshot or a transaction sees.
  ///
  /// - Throws: `MagicError`, as ``count``, and `.notSaved` if the owner is in another database.
  @available(*, noasync, message: "this call blocks the thread; in a task, use count")
  public func count(in reader: borrowing some MagicDatabaseReader & ~Copyable) throws -> Int {
    try reader._read { access in
      switch try resolve(for: access.reader) {
      case .content(let content): return Self.count(content)
      case .unavailable: return 0
      case .row(let row, _, let edits):
        try row.check(access.reader)
        return try Self.count(row, edits, access.reader)
      }
    }
  }

  private static func count(
    _ row: LazyRow, _ edits: PendingEdits, _ reader: any EngineReader
  ) throws -> Int {
    guard let edits = edits.of(Content.Member.self) else {
      return try reader.countMembers(of: row)
    }
    return try reader.countMembers(of: row, applying: edits)
  }

  private static func count(_ content: Content) -> Int {
    (content as? any ObjectCollection)?.memberCount ?? 0
  }
}

extension ObjectCollection {
  fileprivate var memberCount: Int { membersAndKeys.members.count }
}

extension AsyncMagical {
  /// Returns a random member, or nil if there is none. Only this member is loaded.
  ///
  /// - Throws: `MagicError`, with `.missingValue` if the property never had a value, and `.closed`;
  ///   `CancellationError` in a cancelled task.
  public func randomValue<Element: MagicObject>() async throws -> Element?
  where Content == [Element] {
    try await member { Self.randomIndex(in: nil, of: $0) }?.objects.first
  }

  /// Returns a random member at one of the given indexes of the array, or nil if the array has none
  /// of these indexes.
  ///
  /// - Throws: the errors of `randomValue()`.
  public func randomValue<Element: MagicObject>(in range: Range<Int>) async throws -> Element?
  where Content == [Element] {
    try await member { Self.randomIndex(in: range, of: $0) }?.objects.first
  }

  /// Returns a random member, like `randomValue()` of an array.
  public func randomValue<Element: MagicObject>() async throws -> Element?
  where Content == MagicalSet<Element> {
    try await member { Self.randomIndex(in: nil, of: $0) }?.objects.first
  }

  /// Returns a random member, like `randomValue(in:)` of an array. The indexes are those of the set
  /// in fetch order.
  public func randomValue<Element: MagicObject>(in range: Range<Int>) async throws -> Element?
  where Content == MagicalSet<Element> {
    try await member { Self.randomIndex(in: range, of: $0) }?.objects.first
  }

  /// Returns a random member with its key, like `randomValue()` of an array.
  public func randomValue<Key, Value: MagicObject>() async throws -> (key: Key, value: Value)?
  where Content == [Key: Value], Key: Codable {
    try await member { Self.randomIndex(in: nil, of: $0) }?.pairs(Content.self).first
  }

  private static func randomIndex(in range: Range<Int>?, of count: Int) -> Int? {
    let indexes = 0..<count
    return (range?.clamped(to: indexes) ?? indexes).randomElement()
  }
}

extension AsyncMagical where Content: ObjectCollection {
  /// Returns the member at an index that the closure chooses from the number of members.
  private func member(
    at chosenIndex: @Sendable (Int) -> Int?
  ) async throws -> FetchedMembers<Content.Member>? {
    switch try resolve() {
    case .content(let content): return Self.member(of: content, at: chosenIndex)
    case .unavailable: return nil
    case .row(let row, let lease, let edits):
      return try await reading(row, lease) { reader in
        try reader.inSnapshot {
          if let edits = edits.of(Content.Member.self) {
            let all = try reader.members(of: row, applying: edits)
            return try all.flatMap { all in
              try chosenIndex(all.entries.count).map { try reader.load($0..<$0 + 1, of: all) }
            }
          }
          return try chosenIndex(reader.countMembers(of: row)).flatMap {
            try reader.members(.first(1, after: $0), of: row, as: Content.Member.self)
          }
        }
      }
    }
  }

  private static func member(
    of content: Content, at chosenIndex: (Int) -> Int?
  ) -> FetchedMembers<Content.Member>? {
    let (members, keys) = content.membersAndKeys
    guard let index = chosenIndex(members.count) else { return nil }
    let key = keys?.makeEmpty()
    if let keys { key?.append(index, of: keys) }
    return FetchedMembers(objects: [members[index]], keys: key)
  }
}

extension FetchedMembers {
  /// The members of a dictionary with their keys.
  func pairs<Key: Hashable & Codable>(
    _ type: [Key: Model].Type
  ) -> [(key: Key, value: Model)] {
    objects.indices.compactMap { index in
      [Key: Model](members: [objects[index]], keys: keys, start: index).first
    }
  }
}
