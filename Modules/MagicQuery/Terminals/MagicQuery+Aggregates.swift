import MagicEngine
public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery {
  /// The request for an aggregate of what is computed of each row.
  ///
  /// - Parameter empty: what it is for a type without a table.
  private func aggregate<Value: Sendable>(
    _ function: AggregateFunction, _ operand: QueryExpression, _ empty: Value
  ) throws -> AggregateRequest<Value> {
    AggregateRequest(
      query: try plan.aggregate(Model.self, function, of: operand),
      decoder: try ValueDecoder(Value.self), empty: empty)
  }

  private func untyped<Value>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> QueryExpression { expression(MagicRow(scope: .root)).untyped }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// The sum of the property's numbers; 0 where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value.Sum {
    try await source.run(aggregate(.sum, QueryExpression(path), Value.Sum.zero))
  }

  /// The average of the property's numbers; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Double? {
    try await source.run(aggregate(.average, QueryExpression(path), Double?.none))
  }

  /// The smallest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// As `min(_:)` of a property that is never nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// The largest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// As `max(_:)` of a property that is never nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// As `sum(_:)` of a property.
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value.Sum {
    try await source.run(aggregate(.sum, untyped(expression), Value.Sum.zero))
  }

  /// As `average(_:)` of a property.
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Double? {
    try await source.run(aggregate(.average, untyped(expression), Double?.none))
  }

  /// As `min(_:)` of a property.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// As `min(_:)` of an expression that is never nil.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// As `max(_:)` of a property.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }

  /// As `max(_:)` of an expression that is never nil.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// As the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value.Sum {
    try source.run(aggregate(.sum, QueryExpression(path), Value.Sum.zero))
  }

  /// As the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Double? {
    try source.run(aggregate(.average, QueryExpression(path), Double?.none))
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// As the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value.Sum {
    try source.run(aggregate(.sum, untyped(expression), Value.Sum.zero))
  }

  /// As the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Double? {
    try source.run(aggregate(.average, untyped(expression), Double?.none))
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// As the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }

  /// As the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }
}
