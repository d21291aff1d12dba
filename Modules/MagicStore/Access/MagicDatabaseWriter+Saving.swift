import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Inserts or updates an object.
  ///
  /// An instance that was saved or fetched updates its row, also under a new primary value. A new
  /// instance updates the row that has its primary value, and inserts one where there is none or
  /// the type has no primary. Only the properties that were changed since are written; an unchanged
  /// object writes nothing.
  ///
  /// What the object refers to is saved with it, each object once, in the same transaction. A removed
  /// object is not inserted again by that: the reference to it is deleted, in memory too.
  ///
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`: `.missingValue` for an unset property, `.notUnique`, `.notFound` where an
  ///   object without a primary value was deleted meanwhile, and others. Nothing is stored then, and
  ///   the object is as it was.
  /// - Complexity: O(n) in the objects that are reached, O(changes) in what is written.
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) { try $0.objects.save(object, schema) }
  }

  /// Inserts or updates objects in one transaction: all of them or none.
  ///
  /// - Returns: their z-indexes, in order.
  /// - Throws: `MagicError`, as the update of one object does.
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) { try $0.objects.save(Array(objects), schema) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// As the asynchronous `update(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    do {
      return try _write(isOneRow: !schema.reach.hasRelationships) {
        try $0.objects.save(object, schema)
      }
    } catch let error as MagicError where error.code == .changeInProgress {
      // Refused before the object was looked at, the error names no property.
      try schema.withReference(to: object) { try OwnChanges.current?.refuse($0) }
      throw error
    }
  }

  /// As the asynchronous `update(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    try _write { try $0.objects.save(Array(objects), ObjectSchema.of(Model.self)) }
  }
}
