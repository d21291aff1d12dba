public import Magical
import MagicSchema
public import MagicStore

extension MagicGroups where Source: DatabaseReader {
  /// How many rows each group has.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func count() throws -> [(key: Key, count: Int)] {
    try selection([MagicGroup<Model>().count.code]) { try RowReader.single(Int.self) }
      .named { (key: $0, count: $1) }.all()
  }

  /// The sum of a property's numbers in each group.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, sum: Value.Sum)] {
    try selection([MagicGroup().sum(path).code]) { try RowReader.single(Value.Sum.self) }
      .named { (key: $0, sum: $1) }.all()
  }

  /// The average of a property's numbers in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, average: Double?)] {
    try selection([MagicGroup().average(path).code]) { try RowReader.single(Double?.self) }
      .named { (key: $0, average: $1) }.all()
  }

  /// The smallest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, min: Value?)] {
    try selection([MagicGroup().min(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, min: $1) }.all()
  }

  /// The smallest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, min: Value?)] {
    try selection([MagicGroup().min(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, min: $1) }.all()
  }

  /// The largest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) throws -> [(key: Key, max: Value?)] {
    try selection([MagicGroup().max(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, max: $1) }.all()
  }

  /// The largest value of a property in each group; nil where there is none.
  ///
  /// - Throws: `MagicError`.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) throws -> [(key: Key, max: Value?)] {
    try selection([MagicGroup().max(path).code]) { try RowReader.single(Value?.self) }
      .named { (key: $0, max: $1) }.all()
  }
}
