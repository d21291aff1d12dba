import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Inserts or updates an object.
  ///
  /// An instance that was saved or fetched updates its row, even under a new primary value. A new
  /// instance updates the row that has its primary value. If there is no such row, or the type has
  /// no primary, a row is inserted. Only properties that changed since the last save are written.
  /// An unchanged object writes nothing.
  ///
  /// The objects that the object refers to are saved in the same transaction, each object once. A
  /// removed object is not inserted again by this: the reference to it is deleted, also in memory.
  ///
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.missingValue` for an unset property, `.notUnique`, `.notFound` if
  ///   the row of an object without a primary value was deleted by others, and other errors.
  ///   Nothing is stored then, and the object is unchanged.
  /// - Complexity: O(n) in the number of reachable objects. Only changes are written.
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) { try $0.objects.save(object, schema) }
  }

  /// Inserts or updates objects in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) { try $0.objects.save(Array(objects), schema) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `update(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    do {
      return try _write(isOneRow: !schema.reach.hasRelationships) {
        try $0.objects.save(object, schema)
      }
    } catch let error as MagicError where error.code == .changeInProgress {
      // The call was refused before the object was read, so the error does not name the property.
      // This call throws an error that does.
      try schema.withReference(to: object) { try OwnChanges.current?.refuse($0) }
      throw error
    }
  }

  /// Like the asynchronous `update(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    try _write { try $0.objects.save(Array(objects), ObjectSchema.of(Model.self)) }
  }
}
