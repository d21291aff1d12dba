import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Saves an object like `update(_:)`, but a new object whose key or primary is stored updates only
  /// the properties that were assigned.
  ///
  /// The row keeps its other values, and the object gets them, as with `refresh(_:)`. A property is
  /// assigned when it was set, also in `init`, or changed in place. A default value of the declaration
  /// is not assigned, and neither is a value that the memberwise initializer of a struct passes for a
  /// property with a default value, nor a `MagicAsset` without content. The same rule applies to relationships: a collection that was
  /// not assigned keeps its stored members, and one that was edited is assigned. Objects that the
  /// object refers to are saved as by `update(_:)`.
  ///
  /// If there is no such row, the object is inserted with all its values. An instance that was saved
  /// or fetched before updates its own row.
  ///
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`, as for `update(_:)`; `.missingValue` for an unset property only if a
  ///   row has to be inserted. Nothing is stored then, and the object is unchanged.
  /// - Complexity: as `update(_:)`, and one lookup and one fetch of the row.
  @discardableResult
  public func merge<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    try await merge(contentsOf: CollectionOfOne(object))[0]
  }

  /// Saves objects like `merge(_:)` in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func merge<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) { try $0.objects.merge(Array(objects), schema) }
  }

  /// Saves an object like `merge(_:)`, but finds the row of a new object by unique properties instead
  /// of its key or primary.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - field: a unique property, or the first property of a unique index.
  ///   - others: the other properties of the index, in any order.
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.invalidQuery` if two rows may have the same values in these
  ///   properties; other codes as for `merge(_:)`.
  @discardableResult
  public func merge<Model: MagicObject, First, each Other>(
    _ object: Model,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) async throws -> ZIndex {
    try await merge(
      contentsOf: CollectionOfOne(object), matching: field, repeat each others)[0]
  }

  /// Saves objects like `merge(_:matching:)` in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func merge<Model: MagicObject, First, each Other>(
    contentsOf objects: some Sequence<Model> & Sendable,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    let matched = try schema.matched(field, repeat each others)
    return try await _write(isRepeatable: true) {
      try $0.objects.merge(Array(objects), schema, matched: matched)
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `merge(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    try merge(contentsOf: CollectionOfOne(object))[0]
  }

  /// Like the asynchronous `merge(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try _write { try $0.objects.merge(Array(objects), schema) }
  }

  /// Like the asynchronous `merge(_:matching:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge<Model: MagicObject, First, each Other>(
    _ object: Model, matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) throws -> ZIndex {
    try merge(contentsOf: CollectionOfOne(object), matching: field, repeat each others)[0]
  }

  /// Like the asynchronous `merge(contentsOf:matching:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func merge<Model: MagicObject, First, each Other>(
    contentsOf objects: some Sequence<Model>,
    matching field: any KeyPath<Model, MagicField<First>> & Sendable,
    _ others: repeat any KeyPath<Model, MagicField<each Other>> & Sendable
  ) throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    let matched = try schema.matched(field, repeat each others)
    return try _write { try $0.objects.merge(Array(objects), schema, matched: matched) }
  }
}
