public import Magical
import MagicSchema
public import MagicStore

// Aggregates of an expression in each group.

extension MagicGroups where Source: AsyncMagicDatabaseReader, Key: Sendable {
  /// Returns the sum of an expression in each group.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> [(key: Key, sum: Value.Sum)] {
    try await source.run(pairs(MagicGroup().sum(expression)) { (key: $0, sum: $1) })
  }

  /// Returns the average of an expression in each group; nil for a group in which all values are nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> [(key: Key, average: Double?)] {
    try await source.run(pairs(MagicGroup().average(expression)) { (key: $0, average: $1) })
  }

  /// Returns the smallest value of an expression in each group; nil for a group in which all values
  /// are nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(expression)) { (key: $0, min: $1) })
  }

  /// Returns the smallest value of an optional expression in each group; nil for a group in which all
  /// values are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(expression)) { (key: $0, min: $1) })
  }

  /// Returns the largest value of an expression in each group; nil for a group in which all values are
  /// nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(expression)) { (key: $0, max: $1) })
  }

  /// Returns the largest value of an optional expression in each group; nil for a group in which all
  /// values are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(expression)) { (key: $0, max: $1) })
  }
}

extension MagicGroups where Source: MagicDatabaseReader {
  /// Like the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> [(key: Key, sum: Value.Sum)] {
    try source.run(pairs(MagicGroup().sum(expression)) { (key: $0, sum: $1) })
  }

  /// Like the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> [(key: Key, average: Double?)] {
    try source.run(pairs(MagicGroup().average(expression)) { (key: $0, average: $1) })
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(expression)) { (key: $0, min: $1) })
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(expression)) { (key: $0, min: $1) })
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(expression)) { (key: $0, max: $1) })
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(expression)) { (key: $0, max: $1) })
  }
}
