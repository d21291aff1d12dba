public import Magical
import MagicSchema
public import MagicStore

extension MagicGroups {
  /// The request for the groups' keys, and something that is computed of each group.
  private func pairs<Value, Row>(
    _ expression: MagicExpression<Model, Value>, _ name: @escaping @Sendable (Key, Value) -> Row
  ) throws -> RowsRequest<Row> {
    try selection([expression.untyped]) { try RowReader.single(Value.self) }.named(name).rows
  }
}

extension MagicGroups where Source: AsyncMagicDatabaseReader, Key: Sendable {
  /// How many rows each group has.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> [(key: Key, count: Int)] {
    try await source.run(pairs(MagicGroup().count) { (key: $0, count: $1) })
  }

  /// The sum of a property's numbers in each group.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, sum: Value.Sum)] {
    try await source.run(pairs(MagicGroup().sum(path)) { (key: $0, sum: $1) })
  }

  /// The average of a property's numbers in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, average: Double?)] {
    try await source.run(pairs(MagicGroup().average(path)) { (key: $0, average: $1) })
  }

  /// The smallest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// As `min(_:)` of a property that is never nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, min: Value?)] {
    try await source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// The largest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }

  /// As `max(_:)` of a property that is never nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, max: Value?)] {
    try await source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }
}

extension MagicGroups where Source: MagicDatabaseReader {
  /// As the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func count() throws -> [(key: Key, count: Int)] {
    try source.run(pairs(MagicGroup().count) { (key: $0, count: $1) })
  }

  /// As the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, sum: Value.Sum)] {
    try source.run(pairs(MagicGroup().sum(path)) { (key: $0, sum: $1) })
  }

  /// As the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, average: Double?)] {
    try source.run(pairs(MagicGroup().average(path)) { (key: $0, average: $1) })
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, min: Value?)] {
    try source.run(pairs(MagicGroup().min(path)) { (key: $0, min: $1) })
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, max: Value?)] {
    try source.run(pairs(MagicGroup().max(path)) { (key: $0, max: $1) })
  }
}
