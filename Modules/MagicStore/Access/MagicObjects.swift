import MagicEngine
public import MagicSchema

/// All objects of a type in a database, which are not fetched yet.
///
/// ```swift
/// let all = try await magic.object(of: Person.self)
/// let grace = try await magic.object(of: Person.self).where { $0.name == "Grace" }
/// ```
public struct MagicObjects<Model: MagicObject>: Sendable {
  let source: any AsyncMagicDatabaseReader

  /// Fetches the first object in row ID order that the body accepts.
  ///
  /// ```swift
  /// let ada = try await magic.object(of: Person.self).where { $0.name == "Ada" }
  /// ```
  ///
  /// - Throws: `MagicError` with `.notFound` if there is no such object, and the errors of the
  ///   body.
  /// - Complexity: O(n) in the number of objects before the result, because the body is Swift code,
  ///   which cannot use an index. To look up a primary value, use `object(of:primary:)`.
  public func `where`(_ accepts: @Sendable (Model) throws -> Bool) async throws -> Model {
    let object = try await source.first(of: Model.self, where: accepts)
    guard let object else { throw MagicError.noObject(try ObjectSchema.of(Model.self)) }
    return object
  }
}
