import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Deletes the row of an object. Afterwards, the object and its copies are unsaved: they keep
  /// their values, and `update(_:)` inserts a new row.
  ///
  /// The delete rules of relationships apply to the rows that refer to the object, see
  /// `MagicDeleteRule`.
  ///
  /// - Throws: `MagicError`, with `.notSaved` for an object that is not in this database,
  ///   `.conflict` if its `@MagicVersion` is outdated, `.stillReferenced` if the delete rule `.deny`
  ///   prevents the deletion, and `.constraint` if a trigger prevents it. Nothing is deleted then.
  public func remove<Model: MagicObject>(_ object: Model) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await _write(isRepeatable: true) { try $0.objects.remove([object], schema) }
  }

  /// Deletes the rows of objects in one transaction: all of them or none.
  ///
  /// - Throws: `MagicError`, as for one object.
  public func remove<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await _write(isRepeatable: true) { try $0.objects.remove(Array(objects), schema) }
  }

  /// Deletes all rows of a type, and the rows that delete rules cascade to. Objects in memory are
  /// not changed.
  ///
  /// - Returns: the number of rows of the type that were deleted.
  /// - Throws: `MagicError`, with `.stillReferenced` if the delete rule `.deny` prevents the
  ///   deletion, and `.constraint` if a trigger prevents it. Nothing is deleted then.
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) async throws -> Int {
    let schema = try ObjectSchema.of(type)
    return try await _write(isRepeatable: true) { try $0.engine.removeAll(schema) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `remove(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func remove<Model: MagicObject>(_ object: Model) throws {
    try _write { try $0.objects.remove([object], ObjectSchema.of(Model.self)) }
  }

  /// Like the asynchronous `remove(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func remove<Model: MagicObject>(contentsOf objects: some Sequence<Model>) throws {
    try _write { try $0.objects.remove(Array(objects), ObjectSchema.of(Model.self)) }
  }

  /// Like the asynchronous `removeAll(of:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try _write { try $0.engine.removeAll(ObjectSchema.of(type)) }
  }
}
