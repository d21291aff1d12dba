public import Magical
import MagicSchema
public import MagicStore

extension MagicGroups {
  /// Returns the request for the key of each group and one expression that is computed from the
  /// group.
  func pairs<Value, Row>(
    _ expression: MagicExpression<Model, Value>, _ name: @escaping @Sendable (Key, Value) -> Row
  ) throws -> RowsRequest<Row> {
    try selection([expression.untyped]) { try RowReader.single(Value.self, of: $0[0], Model.self) }
      .named(name).rows
  }
}

extension MagicGroups where Source: AsyncMagicDatabaseReader, Key: Sendable {
  /// Returns the number of rows in each group.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> [(key: Key, count: Int)] {
    try await source.run(pairs(MagicGroup().count) { (key: $0, count: $1) })
  }

  /// Returns the sum of a property in each group.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, sum: Value.Sum)] {
    try await source.run(pairs(MagicGroup().sum(path)) { (key: $0, sum: $1) })
  }

  /// Returns the average of a property in each group; nil for a group in which all values are nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, average: Double?)] {
    try await source.run(pairs(MagicGroup().average(path)) { (key: $0, average: $1) })
  }

  /// Returns the smallest value of a property in each group; nil for a group in which all values
  /// are nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// Returns the smallest value of an optional property in each group; nil for a group in which all
  /// values are nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// Returns the largest value of a property in each group; nil for a group in which all values are
  /// nil.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }

  /// Returns the largest value of an optional property in each group; nil for a group in which all
  /// values are nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }
}

extension MagicGroups where Source: MagicDatabaseReader {
  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> [(key: Key, count: Int)] {
    try source.run(pairs(MagicGroup().count) { (key: $0, count: $1) })
  }

  /// Like the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, sum: Value.Sum)] {
    try source.run(pairs(MagicGroup().sum(path)) { (key: $0, sum: $1) })
  }

  /// Like the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, average: Double?)] {
    try source.run(pairs(MagicGroup().average(path)) { (key: $0, average: $1) })
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }
}
