import MagicEngine
public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery {
  /// Returns the request for an aggregate of an expression over all rows.
  ///
  /// - Parameter empty: the result if the type has no table.
  package func aggregate<Value: Sendable>(
    _ function: AggregateFunction, _ operand: QueryExpression, _ empty: Value
  ) throws -> AggregateRequest<Value> {
    let property = SelectedProperty(operand, number: nil, of: Model.self)
    return AggregateRequest(
      query: try plan.aggregate(Model.self, function, of: operand),
      decode: property.decoding(try property.decoder(Value.self)), empty: empty)
  }

  private func untyped<Value>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> QueryExpression { expression(MagicRow(scope: .root)).untyped }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the sum of a property over all rows; 0 if there are no values.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value.Sum {
    try await source.run(aggregate(.sum, QueryExpression(path), Value.Sum.zero))
  }

  /// Returns the average of a property over all rows; nil if there are no values.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Double? {
    try await source.run(aggregate(.average, QueryExpression(path), Double?.none))
  }

  /// Returns the smallest value of a property; nil if there are no values.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// Returns the smallest value of an optional property; nil if there are no values.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// Returns the largest value of a property; nil if there are no values.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// Returns the largest value of an optional property; nil if there are no values.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// Returns the sum of an expression over all rows; 0 if there are no values.
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value.Sum {
    try await source.run(aggregate(.sum, untyped(expression), Value.Sum.zero))
  }

  /// Returns the average of an expression over all rows; nil if there are no values.
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Double? {
    try await source.run(aggregate(.average, untyped(expression), Double?.none))
  }

  /// Returns the smallest value of an expression; nil if there are no values.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// Returns the smallest value of an optional expression; nil if there are no values.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// Returns the largest value of an expression; nil if there are no values.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }

  /// Returns the largest value of an optional expression; nil if there are no values.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value.Sum {
    try source.run(aggregate(.sum, QueryExpression(path), Value.Sum.zero))
  }

  /// Like the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Double? {
    try source.run(aggregate(.average, QueryExpression(path), Double?.none))
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, QueryExpression(path), Value?.none))
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, QueryExpression(path), Value?.none))
  }

  /// Like the asynchronous `sum(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value.Sum {
    try source.run(aggregate(.sum, untyped(expression), Value.Sum.zero))
  }

  /// Like the asynchronous `average(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Double? {
    try source.run(aggregate(.average, untyped(expression), Double?.none))
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// Like the asynchronous `min(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.minimum, untyped(expression), Value?.none))
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }

  /// Like the asynchronous `max(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try source.run(aggregate(.maximum, untyped(expression), Value?.none))
  }
}
