public import MagicSchema
import MagicStore

extension MagicData {
  /// Inserts or updates an object.
  ///
  /// With a primary value the row of that value is updated, or a new one inserted. Without one, an
  /// instance that was saved or fetched updates its row, a new one inserts. Only the properties
  /// that were changed since are written; an unchanged object writes nothing.
  ///
  /// - Returns: the object's z-index.
  /// - Throws: `MagicError`: `.missingValue` for an unset property,
  ///   `.notUnique`, `.notFound` where an object without a
  ///   primary value was deleted meanwhile, and others. Nothing is stored then, and the object is
  ///   as it was.
  @discardableResult
  public func update<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await writing { try $0.save(object, schema) }
  }

  /// Inserts or updates objects in one transaction: all of them or none.
  ///
  /// - Returns: their z-indexes, in order.
  /// - Throws: `MagicError`, as ``update(_:)`` does.
  @discardableResult
  public func update<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await writing { try $0.save(Array(objects), schema) }
  }
}
