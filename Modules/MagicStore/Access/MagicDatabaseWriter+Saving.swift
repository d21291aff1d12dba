import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Inserts or updates an object.
  ///
  /// If the instance was saved or fetched before, its row is updated, even if its primary value has
  /// changed; a primary that is the row ID cannot be changed. A new instance updates the row that
  /// has its primary value. If there is no such row, or the type has no primary, a row is inserted.
  /// Only properties that changed since the last save are written. For an unchanged object, nothing
  /// is written.
  ///
  /// The objects that the object refers to are saved in the same transaction, each object once. If
  /// one of them was removed, it is not inserted again. Instead, the reference to it is deleted, in
  /// the database and in memory.
  ///
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.missingValue` for an unset property, `.notUnique`, `.notFound` if
  ///   the type has no primary and another writer has deleted the row, and other codes. Nothing is
  ///   stored then, and the object is unchanged.
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
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
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
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    try _write { try $0.objects.save(Array(objects), ObjectSchema.of(Model.self)) }
  }
}
