import MagicEngine
import MagicRelations
public import MagicSchema
public import MagicStore

/// Lookups and edits of one key of a dictionary, which load no other member. They compare keys by
/// their stored forms: two texts that are equal in Swift and have different Unicode normal forms are
/// different keys.
extension AsyncMagical {
  /// Returns the object of a key, or nil if the dictionary does not have the key.
  ///
  /// - Throws: `MagicError`, with `.missingValue` if the property never had a value,
  ///   `.cannotEncode` for a key that cannot be stored, and `.closed`; `CancellationError` in a
  ///   cancelled task.
  /// - Complexity: O(log n): one lookup in an index, and one row.
  public func value<Key: Codable & Sendable, Value: MagicObject>(
    forKey key: Key
  ) async throws -> Value? where Content == [Key: Value] {
    switch try resolve() {
    case .content(let content): return content[key]
    case .unavailable: return nil
    case .row(let row, let lease, let edits):
      let (keys, edits) = (TypedKeys([key]), edits.of(Value.self) ?? [])
      return try await reading(row, lease) {
        try $0.member(forKey: keys, of: row, applying: edits)
      }
    }
  }

  /// Returns the object of a key that a store, a snapshot or a transaction sees.
  ///
  /// - Throws: `MagicError`, as `value(forKey:)`, and `.notSaved` if the owner is in another
  ///   database.
  @available(*, noasync, message: "this call blocks the thread; in a task, use value(forKey:)")
  public func value<Key: Codable & Sendable, Value: MagicObject>(
    forKey key: Key, in reader: borrowing some MagicDatabaseReader & ~Copyable
  ) throws -> Value? where Content == [Key: Value] {
    try reader._read { access in
      switch try resolve(for: access.reader) {
      case .content(let content): return content[key]
      case .unavailable: return nil
      case .row(let row, _, let edits):
        try row.check(access.reader)
        return try access.reader.member(
          forKey: TypedKeys([key]), of: row, applying: edits.of(Value.self) ?? [])
      }
    }
  }

  /// Sets the object of a key, which replaces another one. The next save of the owner writes one
  /// join row; an edit is kept and shared like `append(_:)` of an array.
  ///
  /// - Complexity: O(1), or O(n) for a dictionary in memory.
  public func updateValue<Key: Codable & Sendable, Value: MagicObject>(
    _ value: Value, forKey key: Key
  ) where Content == [Key: Value] {
    reference.edit([.setValue(value, forKey: TypedKeys([key]))], of: Content.self)
  }

  /// Removes a key with its object. Does nothing if the dictionary does not have the key.
  ///
  /// - Complexity: O(1), or O(n) for a dictionary in memory.
  public func removeValue<Key: Codable & Sendable, Value: MagicObject>(
    forKey key: Key
  ) where Content == [Key: Value] {
    reference.edit([.removeValue(forKey: TypedKeys([key]))], of: Content.self)
  }
}
