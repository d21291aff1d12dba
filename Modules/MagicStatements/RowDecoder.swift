import MagicEngine
import MagicSchema
import Magical

/// The columns of a result, by the names of the properties of a decoded type.
final class RowLayout {
  private let type: Any.Type
  let columns: [String]
  /// The columns in the order in which the first row was decoded. The following rows are usually
  /// decoded in the same order.
  private var order: [(key: String, column: Int)] = []
  private var next = 0

  init(_ type: Any.Type, columns: [String]) {
    self.type = type
    self.columns = columns
  }

  func beginRow() { next = 0 }

  /// Returns the index of the column with the name of a property.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` if the result does not have exactly one.
  func column(_ key: String) throws -> Int {
    if next < order.count, order[next].key == key {
      next += 1
      return order[next - 1].column
    }
    if let known = order.firstIndex(where: { $0.key == key }) {
      next = known + 1
      return order[known].column
    }
    let found = columns.indices.filter { columns[$0].isName(key) }
    guard found.count == 1 else {
      throw MagicError(
        .invalidQuery,
        found.isEmpty
          ? "The result has no column for the property \(key) of \(type). Name the column with AS."
          : "The result has \(found.count) columns named \(key), so the property of \(type) is "
            + "ambiguous. Name the columns with AS.",
        type: "\(type)", property: key)
    }
    order.append((key, found[0]))
    next = order.count
    return found[0]
  }

  /// Returns the error for a property that a column cannot hold.
  func refusal(_ key: String, _ valueType: Any.Type) -> MagicError {
    MagicError(
      .invalidQuery,
      "The property \(key) of \(type) is of type \(valueType), which is not a value of a column.",
      type: "\(type)", property: key)
  }

  /// Returns the error for a type that is not decoded by the names of properties.
  var unkeyed: MagicError {
    MagicError(
      .invalidQuery,
      "A row can be decoded only as a type with named properties, but \(type) has none. Use "
        + "rows(_:) for values.", type: "\(type)")
  }

  /// Returns the error of a property, with the name of the decoded type.
  func failure(_ error: MagicError, _ key: String) -> MagicError {
    MagicError(
      error.code, "\(error.message.dropLast()), for the property \(key) of \(type).",
      type: "\(type)", property: key, cause: error.cause)
  }
}

/// Decodes a row as a `Decodable` type, by the names of the columns.
struct RowDecoder: Decoder {
  let row: StatementRow
  let layout: RowLayout

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw layout.unkeyed }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw layout.unkeyed }

  /// Reads the column of a property.
  func value<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
    let column = try layout.column(key)
    do {
      if let magical = type as? any MagicalColumn.Type {
        guard let value = try row.read(magical, at: column) as? Value else {
          throw layout.refusal(key, type)
        }
        return value
      }
      return try Value(from: ColumnDecoder(row: self, key: key, column: column))
    } catch let error as MagicError where error.code == .cannotDecode && error.type == nil {
      throw layout.failure(error, key)
    }
  }
}

/// The columns of a row, by the names of properties.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.layout.columns.compactMap(Key.init(stringValue:)) }

  // A missing column is an error also for an optional property, because it usually is a mistake in
  // a name.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool {
    let layout = decoder.layout
    return decoder.row.isNull(at: try layout.column(key.stringValue))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.value(type, key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw decoder.layout.refusal(key.stringValue, type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw decoder.layout.refusal(key.stringValue, [Any].self)
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

/// Decodes a type that wraps one value, such as an enumeration with raw values.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let row: RowDecoder
  let key: String
  let column: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw row.layout.refusal(key, type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw row.layout.refusal(key, [Any].self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { row.row.isNull(at: column) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let magical = type as? any MagicalColumn.Type,
      let value = try row.row.read(magical, at: column) as? Value
    else { throw row.layout.refusal(key, type) }
    return value
  }
}
