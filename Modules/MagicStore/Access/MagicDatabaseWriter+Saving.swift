public import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Inserts or updates an object.
  ///
  /// If the instance was saved or fetched before, its row is updated, even if its primary value has
  /// changed; a primary that is the row ID cannot be changed. If the row was deleted meanwhile, the
  /// call throws `.notFound`, so that a save does not undo the deletion by another task; with
  /// `ifMissing: .insert` it inserts the object again. A new instance updates the row that has its
  /// key or its primary value; with the key, it gets the primary value of that row. If there is no
  /// such row, or the type has neither, a row is inserted. Only properties that changed since the
  /// last save are written. For an unchanged object, nothing is written; its row is looked up only
  /// with `ifMissing: .insert`.
  ///
  /// The objects that the object refers to are saved in the same transaction, each object once. If
  /// one of them was removed, it is not inserted again. Instead, the reference to it is deleted, in
  /// the database and in memory.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - policy: what happens if the instance was fetched or saved before and its row is missing.
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.missingValue` for an unset property, `.notUnique`, also if one row
  ///   has the key of the object and another one its primary value, `.notFound` if the row was
  ///   deleted, `.conflict` if the object has an outdated `@MagicVersion`, and other codes. Nothing
  ///   is stored then, and the object is unchanged.
  /// - Complexity: O(n) in the number of reachable objects. Only changes are written.
  @discardableResult
  public func update<Model: MagicObject>(
    _ object: Model, ifMissing policy: MissingRowPolicy = .fail
  ) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) {
      try $0.objects.save(object, schema, SavingRules(missing: policy))
    }
  }

  /// Inserts or updates objects in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable,
    ifMissing policy: MissingRowPolicy = .fail
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) {
      try $0.objects.save(Array(objects), schema, SavingRules(missing: policy))
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `update(_:ifMissing:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    _ object: Model, ifMissing policy: MissingRowPolicy = .fail
  ) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    do {
      return try _write(isOneRow: !schema.savesOthers(with: object)) {
        try $0.objects.save(object, schema, SavingRules(missing: policy))
      }
    } catch let error as MagicError where error.code == .changeInProgress {
      // The call was refused before the object was read, so the error does not name the property.
      // This call throws an error that does.
      try schema.withReference(to: object) { try OwnChanges.current?.refuse($0) }
      throw error
    }
  }

  /// Like the asynchronous `update(contentsOf:ifMissing:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>, ifMissing policy: MissingRowPolicy = .fail
  ) throws -> [ZIndex] {
    try _write {
      try $0.objects.save(Array(objects), ObjectSchema.of(Model.self), SavingRules(missing: policy))
    }
  }
}
