public import MagicSchema
import MagicStore

/// The objects of a type in a database, before any is read.
public struct MagicObjects<Model: MagicObject>: Sendable {
  let magic: MagicData

  /// The first object in z-index order that the body accepts.
  ///
  /// ```swift
  /// let ada = try await magic.object(of: Person.self).where { $0.name == "Ada" }
  /// ```
  ///
  /// - Throws: `MagicError` with `.notFound` where there is none, and what the
  ///   body throws.
  /// - Complexity: O(n) in the objects before the one that is found: the body is Swift, no index
  ///   serves it. Look a primary value up with ``MagicData/object(of:primary:)``.
  public func `where`(_ accepts: @Sendable (Model) throws -> Bool) async throws -> Model {
    let schema = try ObjectSchema.of(Model.self)
    guard
      let object = try await magic.reading({ try $0.first(of: Model.self, schema, where: accepts) })
    else { throw MagicError.noObject(schema) }
    return object
  }
}
