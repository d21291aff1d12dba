public import Magical
import MagicSchema
public import MagicStore

extension MagicQuery where Source: DatabaseReader {
  /// The sum of the property's numbers; 0 where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value.Sum {
    try aggregate(.sum, ExpressionCode(path), Value.Sum.self) ?? .zero
  }

  /// The average of the property's numbers; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> Double? {
    try aggregate(.average, ExpressionCode(path), Double?.self) ?? nil
  }

  /// The smallest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try aggregate(.minimum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The smallest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try aggregate(.minimum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The largest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> Value? {
    try aggregate(.maximum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The largest value of the property; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> Value? {
    try aggregate(.maximum, ExpressionCode(path), Value?.self) ?? nil
  }

  /// The sum of the expression's numbers; 0 where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value.Sum {
    try aggregate(.sum, expression(MagicRow(scope: Scope.root)).code, Value.Sum.self) ?? .zero
  }

  /// The average of the expression's numbers; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Double? {
    try aggregate(.average, expression(MagicRow(scope: Scope.root)).code, Double?.self) ?? nil
  }

  /// The smallest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try aggregate(.minimum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The smallest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try aggregate(.minimum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The largest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) throws -> Value? {
    try aggregate(.maximum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  /// The largest value of the expression; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) throws -> Value? {
    try aggregate(.maximum, expression(MagicRow(scope: Scope.root)).code, Value?.self) ?? nil
  }

  private func aggregate<Value: Sendable>(
    _ operation: Operation, _ code: ExpressionCode, _ type: Value.Type
  ) throws -> Value? {
    let call = try plan.aggregate(Model.self, operation, of: code)
    let decoder = try ValueDecoder(type)
    return try source._read { try $0.connection.value(call, decoder) }
  }
}
