public import MagicSchema
import SQLiteEngine

extension DatabaseWriter where Self: ~Copyable {
  /// Inserts or updates an object, with all it leads to.
  ///
  /// An instance that was saved or fetched updates its row, also under a new primary value. A new
  /// instance updates the row that has its primary value, and inserts one where there is none or
  /// the type has no primary. Only what changed is written.
  ///
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`; nothing of the object is stored then.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    do {
      return try _write(isOneRow: !schema.reach.hasRelationships) {
        try $0.transaction.save(object, schema)
      }
    } catch let error as MagicError where error.code == .changeInProgress {
      // Refused before the object was looked at, the error names no property.
      try schema.withReference(to: object) { try OwnChanges.current?.refuse($0) }
      throw error
    }
  }

  /// Inserts or updates objects: all of them or none.
  ///
  /// - Returns: their z-indexes, in order.
  /// - Throws: `MagicError`; nothing of them is stored then.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    try _write { try $0.transaction.save(Array(objects), ObjectSchema.of(Model.self)) }
  }

  /// Removes an object. It and its copies are then unsaved.
  ///
  /// - Throws: `MagicError`, with `.notSaved` for an object that is not in the database,
  ///   `.stillReferenced` where a relationship denies it, and `.constraint` where a trigger keeps a
  ///   row. Nothing is removed then.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func remove<Model: MagicObject>(_ object: Model) throws {
    try _write { try $0.transaction.remove([object], ObjectSchema.of(Model.self)) }
  }

  /// Removes objects: all of them or none.
  ///
  /// - Throws: `MagicError`, as ``remove(_:)`` does.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func remove<Model: MagicObject>(contentsOf objects: some Sequence<Model>) throws {
    try _write { try $0.transaction.remove(Array(objects), ObjectSchema.of(Model.self)) }
  }

  /// Removes all objects of a type, and what goes with them by the rules of relationships.
  ///
  /// - Returns: how many there were.
  /// - Throws: `MagicError`, with `.stillReferenced` where a relationship denies it, and `.constraint`
  ///   where a trigger keeps a row. Nothing is removed then.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try _write { try $0.transaction.removeAll(ObjectSchema.of(type)) }
  }
}
