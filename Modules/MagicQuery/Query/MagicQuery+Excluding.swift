import MagicEngine
import MagicGraph
public import MagicSchema
public import Magical

extension MagicQuery {
  /// Returns the query that does not load a relationship of its objects.
  ///
  /// ```swift
  /// let playlists = try await magic.query(Playlist.self)
  ///   .excluding(\.$songs)
  ///   .all()
  /// ```
  ///
  /// The objects have all other properties. Reading the excluded relationship ends the process, as
  /// reading a property that was never set does; `$songs.isSet` is false. `refresh(_:)` of the
  /// database loads it. It can be set: the next save then replaces what is stored. Other saves
  /// keep what is stored. A to-one that is nil is read as nil.
  ///
  /// Applies to `all()`, `first()`, `stream()` and `values()`, and has no effect on counts,
  /// selections, deletions and updates. Objects that are loaded through other relationships have all
  /// of their relationships, unless the query finds them too. A key path through another
  /// relationship makes the query throw `.invalidQuery` when it runs.
  public func excluding<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Model, MagicField<Content>> & Sendable
  ) -> Self {
    excluding { $0[keyPath: relationship].ownReference }
  }

  /// Returns the query that does not load a to-one that may be nil, like `excluding(_:)` for a
  /// relationship that is never nil.
  public func excluding<Target: MagicObject>(
    _ relationship: any KeyPath<Model, MagicField<Target?>> & Sendable
  ) -> Self {
    excluding { $0[keyPath: relationship].ownReference }
  }

  private func excluding(_ find: (Model) -> PropertyReference?) -> Self {
    do {
      let schema = try ObjectSchema.of(Model.self)
      let reference = schema.evaluate(on: Model.self, find) ?? nil
      let property = reference.flatMap(schema.relationship(at:))
      guard let index = schema.relationshipProperties.firstIndex(where: { $0 === property }) else {
        throw MagicError(
          .invalidQuery, "A query can exclude only relationships of its own type.",
          type: schema.typeName)
      }
      var query = self
      query.loading.excluded.insert(index)
      return query
    } catch {
      return with { $0.restrict(to: QueryExpression(error)) }
    }
  }
}
