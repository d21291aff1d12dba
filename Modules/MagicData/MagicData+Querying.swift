public import Magical
public import MagicSchema
import MagicStore

extension MagicData {
  /// All objects of a type, in z-index order; none for a type that was never saved.
  ///
  /// - Throws: `MagicError`.
  /// - Complexity: O(n) in the objects of the type, whose rows are all read.
  public nonisolated func object<Model: MagicObject>(of type: Model.Type) async throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try await reading { try $0.objects(of: type, schema) }
  }

  /// The objects of a type, to pick one with ``MagicObjects/where(_:)``.
  @_disfavoredOverload
  public nonisolated func object<Model: MagicObject>(
    of type: Model.Type
  ) async -> MagicObjects<Model> {
    MagicObjects(magic: self)
  }

  /// The object with a primary value.
  ///
  /// - Throws: `MagicError`: `.notFound` where there is none,
  ///   `.missingPrimary` for a type without one, `.wrongType` for
  ///   a value of another type.
  /// - Complexity: O(log n) in the objects of the type.
  public nonisolated func object<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) async throws -> Model {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    guard
      let object = try await reading({ try $0.object(of: type, schema, primary: primary) })
    else { throw MagicError.noObject(schema) }
    return object
  }

  /// The objects with the given primary values, in their order; those that do not exist are left
  /// out. Any number of values, one snapshot.
  ///
  /// - Throws: `MagicError`, as ``object(of:primary:)`` does, save that nothing is not found.
  public nonisolated func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary> & Sendable
  ) async throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Primary.self)
    return try await reading {
      try $0.objects(of: type, schema, primaries: Array(primaries))
    }
  }

  /// Whether there is an object with a primary value.
  ///
  /// - Throws: `MagicError`, as ``object(of:primary:)`` does, save that nothing is not found.
  /// - Complexity: O(log n) in the objects of the type.
  public nonisolated func has<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue
  ) async throws -> Bool {
    let schema = try ObjectSchema.of(type)
    try schema.checkPrimary(Swift.type(of: primary))
    return try await reading { try $0.has(schema, primary: primary) }
  }

  nonisolated func reading<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    try store.checkOpen()
    return try await store.shared.reading(body)
  }
}
