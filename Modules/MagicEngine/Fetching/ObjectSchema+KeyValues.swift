package import MagicSchema
package import Magical

extension ObjectSchema {
  /// Returns the values of a key, checked against the declaration of the type. A to-one is given as
  /// the object, or its row ID.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a type without a key and for a wrong number of
  ///   values, `.wrongType` for a value of another type, `.cannotEncode` for one that cannot be
  ///   stored.
  package func keyValues<each Value: Magical>(
    _ given: repeat each Value
  ) throws -> [QueryValue] {
    var values: [QueryValue] = []
    values.reserveCapacity(key.count)
    for value in repeat each given { try add(value, to: &values) }
    guard values.count == key.count else { throw wrongKeyCount() }
    return values
  }

  private func add<Value: Magical>(_ value: Value, to values: inout [QueryValue]) throws {
    guard values.count < key.count else { throw wrongKeyCount() }
    let (column, type) = (columns[key[values.count]], Value.self)
    guard column.accepts(type) else {
      throw MagicError(
        .wrongType, "The key value must have type \(column.valueType), not \(type).",
        type: typeName, property: column.property)
    }
    do {
      values.append(try QueryValue(value))
    } catch let error as MagicalError {
      throw MagicError(error, schema: self, column: column, row: nil)
    }
  }

  private func wrongKeyCount() -> MagicError {
    guard !key.isEmpty else {
      return MagicError(
        .invalidQuery, "The type has no key. Declare one: static var key.", type: typeName)
    }
    let expected = key.map { columns[$0].property }.joined(separator: ", ")
    return MagicError(
      .invalidQuery,
      "The number of values is wrong. The key of the type has these values: \(expected).",
      type: typeName)
  }
}

extension ColumnSchema {
  /// An `Int`, the type of a literal, is accepted for a key property of any integer type. No row has
  /// a value that is out of the range of the type.
  fileprivate func accepts(_ type: (some Magical).Type) -> Bool {
    if type == valueType { return true }
    if codec == .link { return type == ZIndex.self }
    return type == Int.self && valueType is any FixedWidthInteger.Type
  }
}
