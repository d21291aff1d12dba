public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncDatabaseWriter {
  /// Removes the objects, and what goes with them by the rules of relationships. Instances in
  /// memory do not hear of it.
  ///
  /// - Returns: how many objects the query found.
  /// - Throws: `MagicError`, in a cancelled task `CancellationError`, with `.stillReferenced` where a relationship denies it. Nothing is
  ///   removed then.
  @discardableResult
  public func delete() async throws -> Int {
    let calls = try plan.delete(Model.self)
    return try await source._write { try $0.transaction.delete(calls) }
  }

  /// Changes the objects' rows. Instances in memory do not hear of it.
  ///
  /// - Returns: how many rows there were, changed by it or not.
  /// - Throws: `MagicError`, in a cancelled task `CancellationError`, with `.notUnique` where a value is taken and `.cannotEncode` where a
  ///   computed number is out of its property's range. Nothing is changed then.
  @discardableResult
  public func update(
    set first: MagicAssignment<Model>, _ more: MagicAssignment<Model>...
  ) async throws -> Int {
    let call = try plan.update(Model.self, [first] + more)
    return try await source._write { try $0.transaction.update(call) }
  }

  /// Gives all of the objects' rows one value.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `MagicError`, in a cancelled task `CancellationError`, as the update with assignments does.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value>, to value: Value
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }

  /// Gives all of the objects' rows one value, or nil.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `MagicError`, in a cancelled task `CancellationError`, as the update with assignments does.
  @discardableResult
  public func update<Value: Magical>(
    set path: MagicPath<Model, Value?>, to value: Value?
  ) async throws -> Int {
    try await update(set: .set(path, to: value))
  }
}
