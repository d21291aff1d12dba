import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Removes an object. It and its copies are then unsaved; they keep their values, and a later
  /// `update(_:)` inserts a new row.
  ///
  /// What refers to it follows the rules of its relationships, see `MagicDeleteRule`.
  ///
  /// - Throws: `MagicError`, with `.notSaved` for an object that is not in this database,
  ///   `.stillReferenced` where a relationship denies it, and `.constraint` where a trigger keeps a
  ///   row. Nothing is removed then.
  public func remove<Model: MagicObject>(_ object: Model) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await _write(isRepeatable: true) { try $0.objects.remove([object], schema) }
  }

  /// Removes objects in one transaction: all of them or none.
  ///
  /// - Throws: `MagicError`, as the removal of one object does.
  public func remove<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await _write(isRepeatable: true) { try $0.objects.remove(Array(objects), schema) }
  }

  /// Removes all objects of a type, and what is deleted with them by the rules of relationships.
  /// Instances in memory are not changed.
  ///
  /// - Returns: how many there were.
  /// - Throws: `MagicError`, with `.stillReferenced` where a relationship denies it, and `.constraint`
  ///   where a trigger keeps a row. Nothing is removed then.
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) async throws -> Int {
    let schema = try ObjectSchema.of(type)
    return try await _write(isRepeatable: true) { try $0.engine.removeAll(schema) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// As the asynchronous `remove(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func remove<Model: MagicObject>(_ object: Model) throws {
    try _write { try $0.objects.remove([object], ObjectSchema.of(Model.self)) }
  }

  /// As the asynchronous `remove(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func remove<Model: MagicObject>(contentsOf objects: some Sequence<Model>) throws {
    try _write { try $0.objects.remove(Array(objects), ObjectSchema.of(Model.self)) }
  }

  /// As the asynchronous `removeAll(of:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func removeAll<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try _write { try $0.engine.removeAll(ObjectSchema.of(type)) }
  }
}
