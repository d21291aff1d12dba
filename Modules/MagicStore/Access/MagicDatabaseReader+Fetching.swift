import MagicEngine
import MagicGraph
public import MagicSchema
public import Magical

// These verbs are no requests, as the terminals of queries are: a request for them would be a generic
// type, whose metadata costs a tenth of a lookup by primary. So both forms find the schema, whose errors
// come before the read waits for a connection, and run the same function of the reader.

extension AsyncMagicDatabaseReader {
  /// All objects of a type, in z-index order; none for a type that was never saved.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  /// - Complexity: O(n) in the objects of the type, whose rows are all read.
  public func object<Model: MagicObject>(of type: Model.Type) async throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try await _read { try $0.reader.objects(of: type, schema) }
  }

  /// The objects of a type, to find one with ``MagicObjects/where(_:)``.
  @_disfavoredOverload
  public func object<Model: MagicObject>(of type: Model.Type) async -> MagicObjects<Model> {
    MagicObjects(source: self)
  }

  /// The object with a primary value.
  ///
  /// - Throws: `MagicError`: `.notFound` where there is none, `.missingPrimary` for a type without
  ///   one, `.wrongType` for a value of another type; `CancellationError` in a cancelled task.
  /// - Complexity: O(log n) in the objects of the type.
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) async throws -> Model {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try await _read { try $0.reader.existingObject(of: type, schema, primary) }
  }

  /// The objects with the given primary values, in their order; those that do not exist are left
  /// out. Any number of values, one snapshot.
  ///
  /// - Throws: `MagicError`, as the lookup of one does, but never `.notFound`;
  ///   `CancellationError` in a cancelled task.
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary> & Sendable
  ) async throws -> [Model] {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try await _read {
      try $0.reader.objects(of: type, schema, primaries: Array(primaries))
    }
  }

  /// The first object in z-index order that the body accepts; nil where there is none.
  ///
  /// - Throws: `MagicError`, `CancellationError` in a cancelled task, and what the body throws.
  /// - Complexity: O(n) in the objects before it: the body is Swift, no index serves it.
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: @Sendable (Model) throws -> Bool
  ) async throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try await _read { try $0.reader.first(of: type, schema, where: accepts) }
  }

  /// Whether there is an object with a primary value.
  ///
  /// - Throws: `MagicError`: `.missingPrimary` for a type without a primary, `.wrongType` for a value
  ///   of another type; `CancellationError` in a cancelled task.
  /// - Complexity: O(log n) in the objects of the type.
  public func has<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) async throws -> Bool {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try await _read { try $0.reader.has(schema, primary: primary) }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// As the asynchronous `object(of:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.reader.objects(of: type, schema) }
  }

  /// As the asynchronous `object(of:primary:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) throws -> Model {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read { try $0.reader.existingObject(of: type, schema, primary) }
  }

  /// As the asynchronous `object(of:primaries:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary>
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read {
      try $0.reader.objects(of: type, schema, primaries: Array(primaries))
    }
  }

  /// As the asynchronous `first(of:where:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.reader.first(of: type, schema, where: accepts) }
  }

  /// As the asynchronous `has(of:primary:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func has<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) throws -> Bool {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read { try $0.reader.has(schema, primary: primary) }
  }
}

extension ObjectSchema {
  /// The schema of a type, whose objects are looked up by values of a primary's type.
  @inline(__always)
  fileprivate static func of<Model: MagicObject>(
    _ type: Model.Type, _ primary: (some MagicalPrimaryValue).Type
  ) throws -> ObjectSchema {
    let schema = try of(type)
    try schema.checkPrimary(primary)
    return schema
  }
}

extension EngineReader {
  /// - Throws: `MagicError` with `.notFound` where there is no object with the primary value.
  @inline(__always)
  fileprivate func existingObject<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, _ primary: some MagicalPrimaryValue
  ) throws -> Model {
    let object = try object(of: type, schema, primary: primary)
    guard let object else { throw MagicError.noObject(schema) }
    return object
  }
}
