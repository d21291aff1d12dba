import MagicEngine
import MagicGraph
public import MagicSchema
public import Magical

// These methods do not create a `ReadRequest`, as the terminals of queries do. A request would be a
// generic type, and the lookup of its metadata takes a tenth of the time of a fetch by primary
// value. So the asynchronous and the blocking form both find the schema and then run the same
// function of the reader. Errors of the schema are thrown before the read waits for a connection.

extension AsyncMagicDatabaseReader {
  /// Fetches all objects of a type, in row ID order. The result is empty for a type that was never
  /// saved.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  /// - Complexity: O(n) in the number of rows of the type, which are all read.
  public func object<Model: MagicObject>(of type: Model.Type) async throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try await _read { try $0.reader.objects(of: type, schema) }
  }

  /// Returns a value that represents all objects of a type. Its method ``MagicObjects/where(_:)``
  /// fetches one of them.
  @_disfavoredOverload
  public func object<Model: MagicObject>(of type: Model.Type) async -> MagicObjects<Model> {
    MagicObjects(source: self)
  }

  /// Fetches the object with a primary value.
  ///
  /// - Throws: `MagicError`: `.notFound` if there is no such object, `.missingPrimary` for a type
  ///   without a primary, `.wrongType` for a value of another type; `CancellationError` in a
  ///   cancelled task.
  /// - Complexity: O(log n) in the number of objects of the type; O(1) if the row is in memory, see
  ///   `MagicOptions.rowCacheSize`. The call then stays on the thread of the caller, as does each call from
  ///   outside of actors if a connection is free.
  public nonisolated(nonsending) func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) async throws -> Model {
    let schema = try ObjectSchema.of(type, Primary.self)
    // A thread of an actor, above all the main thread, does not wait for the database.
    let lookUp = RowLookUp(of: schema, reads: isNil(#isolation), copies: true)
    let result = try row(lookUp, primary)
    if case .found(let chunk?) = result { return schema.makeObject(type, from: chunk.row(0)) }
    if case .missing = result { throw MagicError.noObject(schema) }
    return try await _read { try $0.reader.existingObject(of: type, schema, primary) }
  }

  /// Fetches the objects with the given primary values, in the order of the values. Values without
  /// an object are skipped. There may be any number of values. All objects are read from one
  /// snapshot.
  ///
  /// - Throws: `MagicError`, as for one object, but never `.notFound`; `CancellationError` in a
  ///   cancelled task.
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary> & Sendable
  ) async throws -> [Model] {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try await _read {
      try $0.reader.objects(of: type, schema, primaries: Array(primaries))
    }
  }

  /// Fetches the first object in row ID order that the body accepts, or nil.
  ///
  /// - Throws: `MagicError`, `CancellationError` in a cancelled task, and the errors of the body.
  /// - Complexity: O(n) in the number of objects before the result, because the body is Swift code,
  ///   which cannot use an index.
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: @Sendable (Model) throws -> Bool
  ) async throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try await _read { try $0.reader.first(of: type, schema, where: accepts) }
  }

  /// Returns whether there is an object with a primary value.
  ///
  /// - Throws: `MagicError`: `.missingPrimary` for a type without a primary, `.wrongType` for a
  ///   value of another type; `CancellationError` in a cancelled task.
  /// - Complexity: as for fetching the object.
  public nonisolated(nonsending) func has<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) async throws -> Bool {
    let schema = try ObjectSchema.of(type, Primary.self)
    let lookUp = RowLookUp(of: schema, reads: isNil(#isolation), copies: false)
    switch try row(lookUp, primary) {
    case .found: return true
    case .missing: return false
    case .unknown: return try await _read { try $0.reader.has(schema, primary: primary) }
    }
  }

  @inline(__always)
  private func row(
    _ lookUp: RowLookUp, _ primary: some MagicalPrimaryValue
  ) throws -> RowLookUp.Result {
    try _findRow(_MagicRowLookUp(lookUp)) {
      try $0.reader.addParameter(primary, of: lookUp.schema)
    }.row
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `object(of:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<Model: MagicObject>(of type: Model.Type) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.reader.objects(of: type, schema) }
  }

  /// Like the asynchronous `object(of:primary:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) throws -> Model {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read { try $0.reader.existingObject(of: type, schema, primary) }
  }

  /// Like the asynchronous `object(of:primaries:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primaries: some Sequence<Primary>
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read {
      try $0.reader.objects(of: type, schema, primaries: Array(primaries))
    }
  }

  /// Like the asynchronous `first(of:where:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func first<Model: MagicObject>(
    of type: Model.Type, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    let schema = try ObjectSchema.of(type)
    return try _read { try $0.reader.first(of: type, schema, where: accepts) }
  }

  /// Like the asynchronous `has(of:primary:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func has<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, primary: Primary
  ) throws -> Bool {
    let schema = try ObjectSchema.of(type, Primary.self)
    return try _read { try $0.reader.has(schema, primary: primary) }
  }
}

/// Not inlined, because the optimiser of Swift 6.3 ends with an error in callers that compare `#isolation`.
@inline(never) private func isNil(_ actor: (any Actor)?) -> Bool { actor == nil }

extension ObjectSchema {
  /// Returns the schema of a type, and checks the type of the primary values.
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
  /// - Throws: `MagicError` with `.notFound` if there is no object with the primary value.
  @inline(__always)
  fileprivate func existingObject<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, _ primary: some MagicalPrimaryValue
  ) throws -> Model {
    let object = try object(of: type, schema, primary: primary)
    guard let object else { throw MagicError.noObject(schema) }
    return object
  }
}
