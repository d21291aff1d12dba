import MagicEngine
public import MagicQuery
public import MagicRelations
public import MagicSchema
public import MagicStore
import Magical

extension AsyncMagical where Content: MagicMembers {
  /// How many members there are now; none where the owner is gone.
  ///
  /// - Throws: `MagicError`, with `.missingValue` where there never was a value, and `.closed`;
  ///   `CancellationError` in a cancelled task.
  /// - Complexity: O(n) steps of one index; no member is loaded.
  public var count: Int {
    get async throws {
      switch try find() {
      case .content(let content): return Self.count(content)
      case .gone: return 0
      case .row(let row, let lease):
        return try await reading(row, lease) { try $0.countMembers(of: row) }
      }
    }
  }

  /// How many members a store, a snapshot or a transaction sees.
  ///
  /// - Throws: `MagicError`, as ``count`` does, and `.notSaved` where the owner is in another
  ///   database.
  @available(*, noasync, message: "these calls block the thread: tasks use count")
  public func count(in reader: borrowing some MagicDatabaseReader & ~Copyable) throws -> Int {
    try reader._read { access in
      switch try find(for: access.reader) {
      case .content(let content): return Self.count(content)
      case .gone: return 0
      case .row(let row, _):
        try row.check(access.reader)
        return try access.reader.countMembers(of: row)
      }
    }
  }

  private static func count(_ content: Content) -> Int {
    (content as? any ObjectCollection)?.memberCount ?? 0
  }
}

extension ObjectCollection {
  fileprivate var memberCount: Int { membersAndKeys.members.count }
}

extension AsyncMagical {
  /// One of the members, by chance; nil where there is none. No other is loaded.
  ///
  /// - Throws: `MagicError`, with `.missingValue` where there never was a value, and `.closed`;
  ///   `CancellationError` in a cancelled task.
  public func randomValue<Element: MagicObject>() async throws -> Element?
  where Content == [Element] {
    try await member { Self.place(in: nil, of: $0) }?.objects.first
  }

  /// One of the members at some places of the array, by chance; nil where it has no such places.
  ///
  /// - Throws: As `randomValue()` does.
  public func randomValue<Element: MagicObject>(in range: Range<Int>) async throws -> Element?
  where Content == [Element] {
    try await member { Self.place(in: range, of: $0) }?.objects.first
  }

  /// As `randomValue()` of an array.
  public func randomValue<Element: MagicObject>() async throws -> Element?
  where Content == MagicalSet<Element> {
    try await member { Self.place(in: nil, of: $0) }?.objects.first
  }

  /// As `randomValue(in:)` of an array, at places of the set as it is fetched.
  public func randomValue<Element: MagicObject>(in range: Range<Int>) async throws -> Element?
  where Content == MagicalSet<Element> {
    try await member { Self.place(in: range, of: $0) }?.objects.first
  }

  /// As `randomValue()` of an array, with the member's key.
  public func randomValue<Key, Value: MagicObject>() async throws -> (key: Key, value: Value)?
  where Content == [Key: Value], Key: Codable {
    try await member { Self.place(in: nil, of: $0) }?.pairs(Content.self).first
  }

  private static func place(in range: Range<Int>?, of count: Int) -> Int? {
    let places = 0..<count
    let wanted = range.map { $0.clamped(to: places) } ?? places
    return wanted.randomElement()
  }
}

extension AsyncMagical where Content: ObjectCollection {
  /// The member at a place that is chosen when their count is known.
  private func member(
    at place: @Sendable (Int) -> Int?
  ) async throws -> FetchedMembers<Content.Member>? {
    switch try find() {
    case .content(let content):
      let (members, keys) = content.membersAndKeys
      guard let place = place(members.count) else { return nil }
      let key = keys?.makeEmpty()
      if let keys { key?.append(place, of: keys) }
      return FetchedMembers(objects: [members[place]], keys: key)
    case .gone: return nil
    case .row(let row, let lease):
      return try await reading(row, lease) { reader in
        try reader.inSnapshot {
          try place(reader.countMembers(of: row)).flatMap {
            try reader.members(.first(1, after: $0), of: row, as: Content.Member.self)
          }
        }
      }
    }
  }
}

extension FetchedMembers {
  /// A dictionary's members with their keys.
  func pairs<Key: Hashable & Codable>(
    _ type: [Key: Model].Type
  ) -> [(key: Key, value: Model)] {
    objects.indices.compactMap { index in
      [Key: Model](members: [objects[index]], keys: keys, start: index).first
    }
  }
}
