import MagicEngine
public import MagicSchema

/// The objects of a type in a database, before any is read.
public struct MagicObjects<Model: MagicObject>: Sendable {
  let source: any AsyncMagicDatabaseReader

  /// The first object in z-index order that the body accepts.
  ///
  /// ```swift
  /// let ada = try await magic.object(of: Person.self).where { $0.name == "Ada" }
  /// ```
  ///
  /// - Throws: `MagicError` with `.notFound` where there is none, and what the
  ///   body throws.
  /// - Complexity: O(n) in the objects before the one that is found: the body is Swift, no index
  ///   serves it. To look a primary value up, use `object(of:primary:)`.
  public func `where`(_ accepts: @Sendable (Model) throws -> Bool) async throws -> Model {
    let object = try await source.first(of: Model.self, where: accepts)
    guard let object else { throw MagicError.noObject(try ObjectSchema.of(Model.self)) }
    return object
  }
}
