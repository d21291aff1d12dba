import MagicEngine
import MagicGraph
public import MagicQuery
public import MagicSchema
public import Magical

extension MagicQuery {
  /// Returns the query that also loads a lazy relationship of its objects.
  ///
  /// ```swift
  /// let libraries = try await magic.query(Library.self)
  ///   .including(\.$collected)
  ///   .including(\.$keeper)
  ///   .all()
  /// ```
  ///
  /// The relationship is loaded from the snapshot of the query, with a few statements for all
  /// objects together. `get()`, `count`, `randomValue()` and `createAsyncStream()` of these objects
  /// then return what was loaded, without a read, until the relationship is set and saved, or the
  /// object is refreshed. In a transaction they read from the database.
  ///
  /// Applies to `all()`, `first()`, `stream()` and `values()`, and has no effect on counts,
  /// selections, deletions and updates. A key path through another relationship makes the query
  /// throw `.invalidQuery` when it runs.
  public func including<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Model, MagicField<AsyncMagical<Content>>> & Sendable
  ) -> Self {
    preloading(Content.self) { $0[keyPath: relationship].ownReference }
  }

  /// Returns the query that also loads a lazy relationship that may be nil, like `including(_:)`
  /// for a relationship that is never nil.
  public func including<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Model, MagicField<AsyncMagical<Content>?>> & Sendable
  ) -> Self {
    preloading(Content.self) { $0[keyPath: relationship].ownReference }
  }

  private func preloading<Content: Magical & Sendable>(
    _ type: Content.Type, _ find: (Model) -> PropertyReference?
  ) -> Self {
    do {
      let schema = try ObjectSchema.of(Model.self)
      let reference = schema.evaluate(on: Model.self, find) ?? nil
      guard let property = reference.flatMap(schema.relationship(at:)),
        let preload = Self.preload(type, property, of: schema)
      else {
        throw MagicError(
          .invalidQuery,
          "A query can include only lazy relationships of its own type. Load the relationships of "
            + "a related type in a second query.",
          type: schema.typeName)
      }
      return adding(preload)
    } catch {
      return with { $0.restrict(to: QueryExpression(error)) }
    }
  }

  private static func preload<Content: Magical & Sendable>(
    _ type: Content.Type, _ property: PropertySchema, of schema: ObjectSchema
  ) -> (any RelationshipPreload)? {
    if let column = schema.toOnes.first(where: { $0.schema === property })?.column,
      let target = type as? any MagicObject.Type
    {
      return toOnePreload(target, column)
    }
    if let collection = schema.collections.firstIndex(where: { $0 === property }),
      let type = type as? any ObjectCollection.Type
    {
      return collectionPreload(type, collection)
    }
    return nil
  }

  private static func toOnePreload<Target: MagicObject>(
    _ type: Target.Type, _ column: Int
  ) -> any RelationshipPreload {
    ToOnePreload<Target>(column: column)
  }

  private static func collectionPreload<Content: ObjectCollection>(
    _ type: Content.Type, _ collection: Int
  ) -> any RelationshipPreload {
    CollectionPreload<Content>(collection: collection)
  }
}
