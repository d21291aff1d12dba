public import MagicSchema
import MagicStore

extension MagicData {
  /// Inserts or updates an object.
  ///
  /// An instance that was saved or fetched updates its row, also under a new primary value. A new
  /// instance updates the row that has its primary value, and inserts one where there is none or
  /// the type has no primary. Only the properties
  /// that were changed since are written; an unchanged object writes nothing.
  ///
  /// What the object leads to is saved with it, each object once, in the same transaction. A removed
  /// object is not brought back by that: the link to it goes, in memory too.
  ///
  /// - Complexity: O(n) in the objects that are reached, O(changes) in what is written.
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`: `.missingValue` for an unset property,
  ///   `.notUnique`, `.notFound` where an object without a
  ///   primary value was deleted meanwhile, and others. Nothing is stored then, and the object is
  ///   as it was.
  @discardableResult
  public nonisolated func update<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await writing { try $0.save(object, schema) }
  }

  /// Inserts or updates objects in one transaction: all of them or none.
  ///
  /// - Returns: their z-indexes, in order.
  /// - Throws: `MagicError`, as ``update(_:)`` does.
  @discardableResult
  public nonisolated func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await writing { try $0.save(Array(objects), schema) }
  }
}
