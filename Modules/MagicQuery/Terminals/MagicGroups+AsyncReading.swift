public import Magical
import MagicSchema
public import MagicStore

extension MagicGroups where Source: AsyncDatabaseReader, Key: Sendable {
  /// How many rows each group has.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> [(key: Key, count: Int)] {
    try await selection([MagicGroup<Model>().count.code]) { try RowReader.single(Int.self) }
      .named { (key: $0, count: $1) }.all()
  }

  /// The sum of a property's numbers in each group.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, sum: Value.Sum)] {
    try await selection([MagicGroup().sum(path).code]) { try RowReader.single(Value.Sum.self) }
      .named { (key: $0, sum: $1) }.all()
  }

  /// The average of a property's numbers in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, average: Double?)] {
    try await selection([MagicGroup().average(path).code]) { try RowReader.single(Double?.self) }
      .named { (key: $0, average: $1) }.all()
  }

  /// The smallest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, min: Value?)] {
    try await selection([MagicGroup().min(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, min: $1) }.all()
  }

  /// The smallest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, min: Value?)] {
    try await selection([MagicGroup().min(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, min: $1) }.all()
  }

  /// The largest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) async throws -> [(key: Key, max: Value?)] {
    try await selection([MagicGroup().max(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, max: $1) }.all()
  }

  /// The largest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) async throws -> [(key: Key, max: Value?)] {
    try await selection([MagicGroup().max(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, max: $1) }.all()
  }
}
