import MagicEngine
import Magical
import MagicSQLite
import MagicSchema
import MagicStore

/// Reads values of one type from columns; made once for a query.
struct ValueDecoder<Value>: Sendable {
  private let read: @Sendable (SQLiteColumn) throws -> Value

  static var width: Int { 1 }

  private init(_ read: @escaping @Sendable (SQLiteColumn) throws -> Value) { self.read = read }

  /// - Throws: `MagicError` with `.invalidQuery` for a type that is no value of a column.
  init(_ type: Value.Type) throws {
    let made: Any?
    switch type {
    case is any MagicalRelation.Type, is any LazyValue.Type: made = nil
    case let optional as any OptionalType.Type: made = optional.makeDecoder()
    case let magical as any (Magical & SendableMetatype).Type: made = Self.makeDecoder(magical)
    default: made = nil
    }
    guard let decoder = made as? ValueDecoder<Value> else {
      throw MagicError(
        .invalidQuery, "Only values are selected; of objects, their properties are.")
    }
    self = decoder
  }

  func value(_ column: SQLiteColumn) throws -> Value {
    do {
      return try read(column)
    } catch let error as MagicalError {
      throw MagicError(.cannotDecode, "A selected value: \(error).", cause: error)
    }
  }

  private static func makeDecoder<Type: Magical & SendableMetatype>(_ type: Type.Type) -> Any {
    ValueDecoder<Type> { try Type.read(from: ColumnReader(column: $0)) }
  }

  fileprivate static func optional(_ decoder: ValueDecoder<Value>) -> ValueDecoder<Value?> {
    ValueDecoder<Value?> { $0.isNull ? nil : try decoder.read($0) }
  }
}

private protocol OptionalType {
  static func makeDecoder() -> Any?
}

extension Optional: OptionalType {
  fileprivate static func makeDecoder() -> Any? {
    (try? ValueDecoder<Wrapped>(Wrapped.self)).map { ValueDecoder<Wrapped>.optional($0) }
  }
}

/// Reads the rows of a selection.
struct RowReader<Row>: Sendable {
  let width: Int
  /// Reads a row, from a column on.
  let read: @Sendable (SQLiteStatement, Int) throws -> Row
}

extension StoreConnection {
  /// The rows that a selection finds.
  func rows<Row>(_ query: PreparedQuery, _ reader: RowReader<Row>) throws -> [Row] {
    guard try hasTable(of: query.schema) else { return [] }
    return try run(query) { statement in
      var rows: [Row] = []
      try each(statement) {
        digest?.add($0, 0..<reader.width)
        rows.append(try reader.read($0, 0))
      }
      return rows
    }
  }

  /// What an aggregate comes to; nil for a type without a table.
  func value<Value>(_ query: PreparedQuery, _ decoder: ValueDecoder<Value>) throws -> Value? {
    guard try hasTable(of: query.schema) else { return nil }
    return try run(query) { try $0.step() ? try decoder.value($0.column(0)) : nil }
  }
}
