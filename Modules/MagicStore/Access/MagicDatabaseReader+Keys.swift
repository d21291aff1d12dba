import MagicEngine
import MagicGraph
public import MagicSchema
public import Magical

extension AsyncMagicDatabaseReader {
  /// Fetches the object with a key, which its type declares as ``MagicKey``.
  ///
  /// ```swift
  /// let found = try await magic.object(of: Subscription.self, key: ada, "news")
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the object.
  ///   - first: the value of the first property of the key. The value of a to-one is the object that
  ///     it refers to, or the row ID of that object.
  ///   - others: the values of the other properties, in the order of the declaration.
  /// - Throws: `MagicError`: `.notFound` if there is no such object, `.invalidQuery` for a type
  ///   without a key and for a wrong number of values, `.wrongType` for a value of another type,
  ///   `.notSaved` for an object that is not saved in this database; `CancellationError` in a
  ///   cancelled task.
  /// - Complexity: O(log n) in the number of objects of the type.
  public func object<
    Model: MagicObject, First: Magical & Sendable, each Other: Magical & Sendable
  >(
    of type: Model.Type, key first: First, _ others: repeat each Other
  ) async throws -> Model {
    let schema = try ObjectSchema.of(type)
    let key = try schema.keyValues(first, repeat each others)
    return try await _read { try $0.reader.existingObject(of: type, schema, key: key) }
  }

  /// Fetches the objects with the given keys, in the order of the keys. Keys without an object are
  /// skipped. There may be any number of keys. All objects are read from one snapshot.
  ///
  /// ```swift
  /// let several = try await magic.object(
  ///   of: Subscription.self, keys: [(ada, "news"), (grace, "news")])
  /// ```
  ///
  /// - Throws: `MagicError`, as for one object, but never `.notFound`; `CancellationError` in a
  ///   cancelled task.
  public func object<Model: MagicObject, each Value: Magical & Sendable>(
    of type: Model.Type, keys: [(repeat each Value)]
  ) async throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    let keys = try schema.keyValues(ofEach: keys)
    return try await _read { try $0.reader.objects(of: type, schema, keys: keys) }
  }

  /// Returns whether there is an object with a key.
  ///
  /// - Throws: `MagicError`, as for ``object(of:key:_:)``, but never `.notFound`;
  ///   `CancellationError` in a cancelled task.
  /// - Complexity: O(log n) in the number of objects of the type.
  public func has<
    Model: MagicObject, First: Magical & Sendable, each Other: Magical & Sendable
  >(
    of type: Model.Type, key first: First, _ others: repeat each Other
  ) async throws -> Bool {
    let schema = try ObjectSchema.of(type)
    let key = try schema.keyValues(first, repeat each others)
    return try await _read { try $0.reader.has(schema, key: key) }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `object(of:key:_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<
    Model: MagicObject, First: Magical & Sendable, each Other: Magical & Sendable
  >(
    of type: Model.Type, key first: First, _ others: repeat each Other
  ) throws -> Model {
    let schema = try ObjectSchema.of(type)
    let key = try schema.keyValues(first, repeat each others)
    return try _read { try $0.reader.existingObject(of: type, schema, key: key) }
  }

  /// Like the asynchronous `object(of:keys:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func object<Model: MagicObject, each Value: Magical & Sendable>(
    of type: Model.Type, keys: [(repeat each Value)]
  ) throws -> [Model] {
    let schema = try ObjectSchema.of(type)
    let keys = try schema.keyValues(ofEach: keys)
    return try _read { try $0.reader.objects(of: type, schema, keys: keys) }
  }

  /// Like the asynchronous `has(of:key:_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func has<
    Model: MagicObject, First: Magical & Sendable, each Other: Magical & Sendable
  >(
    of type: Model.Type, key first: First, _ others: repeat each Other
  ) throws -> Bool {
    let schema = try ObjectSchema.of(type)
    let key = try schema.keyValues(first, repeat each others)
    return try _read { try $0.reader.has(schema, key: key) }
  }
}

extension ObjectSchema {
  fileprivate func keyValues<each Value: Magical>(
    ofEach keys: [(repeat each Value)]
  ) throws -> [[QueryValue]] {
    var values: [[QueryValue]] = []
    values.reserveCapacity(keys.count)
    for key in keys { values.append(try keyValues(repeat each key)) }
    return values
  }
}

extension EngineReader {
  /// - Throws: `MagicError` with `.notFound` if there is no object with the key.
  fileprivate func existingObject<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, key: [QueryValue]
  ) throws -> Model {
    guard let object = try object(of: type, schema, key: key) else {
      throw MagicError.noObject(schema)
    }
    return object
  }
}
