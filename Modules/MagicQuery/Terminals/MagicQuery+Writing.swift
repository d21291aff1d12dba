public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncMagicDatabaseWriter {
  /// Deletes the objects, and the objects to which the delete rules of relationships cascade.
  /// Objects in memory are not changed.
  ///
  /// - Returns: the number of objects that were deleted. An object whose deletion a trigger
  ///   prevents is not counted.
  /// - Throws: `MagicError`: `.stillReferenced` if the delete rule `.deny` prevents the deletion,
  ///   and `.constraint` if a trigger prevents the deletion of an object whose delete rules must be
  ///   applied; `CancellationError` if the task is cancelled. Nothing is deleted then.
  @discardableResult
  public func delete() async throws -> Int {
    let query = try plan.delete(Model.self)
    return try await source._write(isRepeatable: true) { try $0.engine.delete(query) }
  }

  /// Updates the rows of the objects. Objects in memory are not changed. Rows are updated one after
  /// the other: a unique property that is increased by 1 may conflict with a row that is not
  /// updated yet.
  ///
  /// - Returns: the number of rows that the query found, whether or not their values changed.
  /// - Throws: `MagicError`: `.notUnique` if another row has the value of a unique property, and
  ///   `.cannotEncode` if a computed number is out of the range of its property;
  ///   `CancellationError` if the task is cancelled. Nothing is updated then.
  @discardableResult
  public func update(
    set first: MagicAssignment<Model>, _ more: MagicAssignment<Model>...
  ) async throws -> Int {
    let query = try plan.update(Model.self, [first] + more)
    return try await source._write(isRepeatable: true) { try $0.engine.update(query) }
  }

  /// Sets a property of all objects to one value.
  ///
  /// - Returns: the number of rows that the query found.
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as the update with
  ///   assignments.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value>, to value: Value
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }

  /// Sets an optional property of all objects to one value, or to nil.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value?>, to value: Value?
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }
}

extension MagicQuery where Source: MagicDatabaseWriter {
  /// Like the asynchronous `delete()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func delete() throws -> Int {
    let query = try plan.delete(Model.self)
    return try source._write(isOneRow: false) { try $0.engine.delete(query) }
  }

  /// Like the asynchronous `update(set:_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update(
    set first: MagicAssignment<Model>, _ more: MagicAssignment<Model>...
  ) throws -> Int {
    let query = try plan.update(Model.self, [first] + more)
    return try source._write(isOneRow: false) { try $0.engine.update(query) }
  }

  /// Like the asynchronous `update(set:to:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value>, to value: Value
  ) throws -> Int {
    try update(set: .set(path, to: value))
  }

  /// Like the asynchronous `update(set:to:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value?>, to value: Value?
  ) throws -> Int {
    try update(set: .set(path, to: value))
  }
}
