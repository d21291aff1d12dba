import MagicEngine
public import MagicQuery
import Magical
import MagicSchema
public import MagicStore

extension MagicQuery {
  private func request<Value>(
    _ fraction: Double, _ path: MagicPath<Model, Value>
  ) throws -> AggregateRequest<Double?> {
    if let error = QueryExpression.percentileError(fraction)?.error { throw error }
    return try aggregate(.percentile(fraction), QueryExpression(path), Double?.none)
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the median of a property: the value in the middle, or the mean of the two values in the
  /// middle; nil if there are no values.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func median<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Double? { try await source.run(request(0.5, path)) }

  /// Returns the number below which a part of the values of a property is; nil if there are no values.
  /// Between two values it is interpolated.
  ///
  /// - Parameter fraction: the part, from 0 to 1.
  /// - Throws: `MagicError`: `.invalidQuery` for another fraction; `CancellationError` if the task is
  ///   cancelled.
  public func percentile<Value: MagicalNumeric>(
    _ fraction: Double, _ path: MagicPath<Model, Value>
  ) async throws -> Double? { try await source.run(request(fraction, path)) }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `median(_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func median<Value: MagicalNumeric>(_ path: MagicPath<Model, Value>) throws -> Double? {
    try source.run(request(0.5, path))
  }

  /// Like the asynchronous `percentile(_:_:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func percentile<Value: MagicalNumeric>(
    _ fraction: Double, _ path: MagicPath<Model, Value>
  ) throws -> Double? { try source.run(request(fraction, path)) }
}
