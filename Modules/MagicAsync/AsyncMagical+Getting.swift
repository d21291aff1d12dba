package import MagicEngine
import MagicSchema
public import MagicStore
import Magical

extension AsyncMagical {
  /// Returns the value: the one that was set in memory, or the current one of the database.
  ///
  /// - Throws: `MagicError`: `.missingValue` if the property never had a value, `.notFound` if the
  ///   property is nil, or the owner or the row that it refers to no longer exists, `.closed` if
  ///   the database is closed; `CancellationError` in a cancelled task.
  public func get() async throws -> Content {
    switch try resolve() {
    case .content(let content): return content
    case .unavailable(let error): throw error
    case .row(let row, let lease, let edits):
      let content = try await reading(row, lease) { try Self.read(row, edits, $0) }
      guard let content else { throw row.notFound() }
      return content
    }
  }

  /// Returns the value that a store, a snapshot or a transaction reads. A transaction sees its own
  /// writes.
  ///
  /// - Throws: `MagicError`, as ``get()``, and `.notSaved` if the owner is in another database.
  @available(*, noasync, message: "this call blocks the thread; in a task, use get()")
  public func get(in reader: borrowing some MagicDatabaseReader & ~Copyable) throws -> Content {
    try reader._read { try content(for: $0.reader) }
  }

  /// Reads the value from a row, with the edits of a collection. Nil if the row does not exist.
  private static func read(
    _ row: LazyRow, _ edits: PendingEdits, _ reader: any EngineReader
  ) throws -> Content? {
    if let type = Content.self as? any MagicObject.Type {
      return try reader.object(of: row, as: type) as? Content
    }
    if let type = Content.self as? any ObjectCollection.Type {
      return try reader.collection(of: row, edits, as: type) as? Content
    }
    guard let type = Content.self as? any FileValue.Type else { return nil }
    return try reader.file(of: row, as: type) as? Content
  }
}

/// A lazy value that can be read without its type.
package protocol ReadableLazyValue: LazyValue {
  /// Returns the value that a reader sees.
  ///
  /// - Throws: `MagicError`, as `get(in:)`.
  func content(for reader: any EngineReader) throws -> Content
}

extension AsyncMagical: ReadableLazyValue {
  package func content(for reader: any EngineReader) throws -> Content {
    switch try resolve(for: reader) {
    case .content(let content): return content
    case .unavailable(let error): throw error
    case .row(let row, _, let edits):
      try row.check(reader)
      guard let content = try Self.read(row, edits, reader) else { throw row.notFound() }
      return content
    }
  }
}

extension EngineReader {
  fileprivate func object<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> Model? {
    try target(of: row, as: type)
  }

  fileprivate func file<Value: FileValue>(of row: LazyRow, as type: Value.Type) throws -> Value? {
    try file(of: row).map { Value($0) }
  }

  fileprivate func collection<Value: ObjectCollection>(
    of row: LazyRow, _ edits: PendingEdits, as type: Value.Type
  ) throws -> Value? {
    let members =
      if let edits = edits.of(Value.Member.self) {
        try allMembers(of: row, applying: edits)
      } else {
        try members(of: row, as: Value.Member.self)
      }
    return members.map { Value(members: $0.objects, keys: $0.keys, start: 0) }
  }
}

extension LazyRow {
  /// - Throws: `MagicError` with `.notSaved` if the row is in another database.
  func check(_ reader: any EngineReader) throws {
    guard identity.store == reader.token else {
      throw MagicError(
        .notSaved, "The object is not in this database. Use the database that it belongs to.",
        type: owner.typeName)
    }
  }
}
