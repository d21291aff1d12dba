public import MagicSchema
import MagicStore

extension MagicData {
  /// Removes an object. It and its copies are then unsaved; they keep their values, and a later
  /// ``update(_:)`` inserts a new row.
  ///
  /// What leads to it follows the rules of its relationships, see `MagicDeleteRule`.
  ///
  /// - Throws: `MagicError`, with `.notSaved` for an object that is not in this database,
  ///   `.stillReferenced` where a relationship denies it, and `.constraint` where a trigger keeps a
  ///   row. Nothing is removed then.
  public nonisolated func remove<Model: MagicObject>(_ object: Model) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await writing { try $0.remove([object], schema) }
  }

  /// Removes objects in one transaction: all of them or none.
  ///
  /// - Throws: `MagicError`, as ``remove(_:)`` does.
  public nonisolated func remove<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws {
    let schema = try ObjectSchema.of(Model.self)
    try await writing { try $0.remove(Array(objects), schema) }
  }

  /// Removes all objects of a type, and what goes with them by the rules of relationships.
  /// Instances in memory do not hear of it.
  ///
  /// - Returns: how many there were.
  /// - Throws: `MagicError`, with `.stillReferenced` where a relationship denies it, and `.constraint`
  ///   where a trigger keeps a row. Nothing is removed then.
  @discardableResult
  public nonisolated func removeAll<Model: MagicObject>(of type: Model.Type) async throws -> Int {
    let schema = try ObjectSchema.of(type)
    return try await writing { try $0.removeAll(schema) }
  }
}
