public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncDatabaseReader {
  /// The sum of the property's numbers; 0 where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value.Sum {
    try await aggregate(.sum, ExpressionCode(path), Value.Sum.self) ?? .zero
  }

  /// The average of the property's numbers; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Double? {
    try await aggregate(.average, ExpressionCode(path), Double?.self) ?? nil
  }

  /// The smallest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await aggregate(.minimum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The smallest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await aggregate(.minimum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The largest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> Value? {
    try await aggregate(.maximum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The largest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> Value? {
    try await aggregate(.maximum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The sum of the expression's numbers; 0 where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value.Sum {
    try await aggregate(.sum, expression(MagicRow(scope: Scope.root)).code, Value.Sum.self) ?? .zero
  }

  /// The average of the expression's numbers; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Double? {
    try await aggregate(.average, expression(MagicRow(scope: Scope.root)).code, Double?.self) ?? nil
  }

  /// The smallest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await aggregate(.minimum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The smallest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await aggregate(.minimum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The largest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) async throws -> Value? {
    try await aggregate(.maximum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The largest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) async throws -> Value? {
    try await aggregate(.maximum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  private func aggregate<Value: Sendable>(
    _ operation: Operation, _ code: ExpressionCode, _ type: Value.Type
  ) async throws -> Value? {
    let call = try plan.aggregate(Model.self, operation, of: code)
    let decoder = try ValueDecoder(type)
    return try await source._read { try $0.connection.value(call, decoder) }
  }
}
