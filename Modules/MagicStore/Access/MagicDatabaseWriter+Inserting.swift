import MagicEngine
import MagicGraph
public import MagicSchema

extension AsyncMagicDatabaseWriter {
  /// Inserts a new object, and saves the objects that it refers to, as `update(_:)` does. No stored
  /// row is updated with the object.
  ///
  /// - Returns: the object's row ID.
  /// - Throws: `MagicError`: `.notUnique` if the object is already saved, or another row has its
  ///   primary value, its key or the value of a unique property; other codes as for `update(_:)`. Nothing is
  ///   stored then, and the object is unchanged.
  /// - Complexity: as `update(_:)`.
  @discardableResult
  public func insert<Model: MagicObject>(_ object: Model) async throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) {
      try $0.objects.save(object, schema, SavingRules(existing: .fail))
    }
  }

  /// Inserts new objects in one transaction: all of them or none.
  ///
  /// - Returns: their row IDs, in the order of the objects.
  /// - Throws: `MagicError`, as for one object.
  @discardableResult
  public func insert<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable
  ) async throws -> [ZIndex] {
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) {
      try $0.objects.save(Array(objects), schema, SavingRules(existing: .fail))
    }
  }

  /// Inserts a new object, or does nothing if that would throw `.notUnique`.
  ///
  /// - Parameter ignores: whether a stored row with the same primary value or key, or with the same
  ///   value of a unique property, is no error. The object is unsaved then.
  /// - Returns: the object's row ID; nil if it was not inserted, or was saved before the call.
  /// - Throws: `MagicError`, as for `insert(_:)`; `.notUnique` if the row of an object that it
  ///   refers to cannot be saved.
  @discardableResult
  public func insert<Model: MagicObject>(
    _ object: Model, orIgnore ignores: Bool
  ) async throws -> ZIndex? {
    try await insert(contentsOf: CollectionOfOne(object), orIgnore: ignores)[0]
  }

  /// Inserts new objects in one transaction. Each object that cannot be inserted, because that would
  /// throw `.notUnique`, is left out.
  ///
  /// - Returns: their row IDs, in the order of the objects; nil for an object that was left out.
  /// - Throws: `MagicError`, as for one object. Nothing is stored then.
  /// - Complexity: as `update(contentsOf:)`, and one savepoint for each object.
  @discardableResult
  public func insert<Model: MagicObject>(
    contentsOf objects: some Sequence<Model> & Sendable, orIgnore ignores: Bool
  ) async throws -> [ZIndex?] {
    guard ignores else { return try await insert(contentsOf: objects) }
    let schema = try ObjectSchema.of(Model.self)
    return try await _write(isRepeatable: true) {
      try $0.objects.insertOrIgnore(Array(objects), schema)
    }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `insert(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert<Model: MagicObject>(_ object: Model) throws -> ZIndex {
    let schema = try ObjectSchema.of(Model.self)
    return try _write(isOneRow: !schema.savesOthers(with: object)) {
      try $0.objects.save(object, schema, SavingRules(existing: .fail))
    }
  }

  /// Like the asynchronous `insert(contentsOf:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>
  ) throws -> [ZIndex] {
    try _write {
      try $0.objects.save(
        Array(objects), ObjectSchema.of(Model.self), SavingRules(existing: .fail))
    }
  }

  /// Like the asynchronous `insert(_:orIgnore:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert<Model: MagicObject>(
    _ object: Model, orIgnore ignores: Bool
  ) throws -> ZIndex? {
    try insert(contentsOf: CollectionOfOne(object), orIgnore: ignores)[0]
  }

  /// Like the asynchronous `insert(contentsOf:orIgnore:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func insert<Model: MagicObject>(
    contentsOf objects: some Sequence<Model>, orIgnore ignores: Bool
  ) throws -> [ZIndex?] {
    guard ignores else { return try insert(contentsOf: objects) }
    return try _write {
      try $0.objects.insertOrIgnore(Array(objects), ObjectSchema.of(Model.self))
    }
  }
}
