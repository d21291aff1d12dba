public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncMagicDatabaseWriter {
  /// Removes the objects, and what is deleted with them by the rules of relationships.
  /// Instances in memory are not changed.
  ///
  /// - Returns: how many objects were deleted. One whose row a trigger keeps is not counted.
  /// - Throws: `MagicError`, with `.stillReferenced` where a relationship denies it, and `.constraint`
  ///   where a trigger keeps a row and rules of relationships are followed; `CancellationError` in a
  ///   cancelled task. Nothing is removed then.
  @discardableResult
  public func delete() async throws -> Int {
    let query = try plan.delete(Model.self)
    return try await source._write(isRepeatable: true) { try $0.engine.delete(query) }
  }

  /// Changes the objects' rows. Instances in memory are not changed. Rows change one by one: a
  /// unique property that goes up by 1 may meet the value of a row that has not changed yet.
  ///
  /// - Returns: how many rows there were, changed by it or not.
  /// - Throws: `MagicError`, with `.notUnique` where a value is taken and `.cannotEncode` where a
  ///   computed number is out of its property's range, and `CancellationError` in a cancelled task.
  ///   Nothing is changed then.
  @discardableResult
  public func update(
    set first: MagicAssignment<Model>, _ more: MagicAssignment<Model>...
  ) async throws -> Int {
    let query = try plan.update(Model.self, [first] + more)
    return try await source._write(isRepeatable: true) { try $0.engine.update(query) }
  }

  /// Gives all of the objects' rows one value.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `MagicError`, and `CancellationError`, as the update with assignments does.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value>, to value: Value
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }

  /// As `update(set:to:)` of a property that is never nil.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value?>, to value: Value?
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }
}

extension MagicQuery where Source: MagicDatabaseWriter {
  /// As the asynchronous `delete()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func delete() throws -> Int {
    let query = try plan.delete(Model.self)
    return try source._write(isOneRow: false) { try $0.engine.delete(query) }
  }

  /// As the asynchronous `update(set:_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update(
    set first: MagicAssignment<Model>, _ more: MagicAssignment<Model>...
  ) throws -> Int {
    let query = try plan.update(Model.self, [first] + more)
    return try source._write(isOneRow: false) { try $0.engine.update(query) }
  }

  /// As the asynchronous `update(set:to:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value>, to value: Value
  ) throws -> Int {
    try update(set: .set(path, to: value))
  }

  /// As the asynchronous `update(set:to:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value?>, to value: Value?
  ) throws -> Int {
    try update(set: .set(path, to: value))
  }
}
