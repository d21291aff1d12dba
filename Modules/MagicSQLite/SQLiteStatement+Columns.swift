public import CMagicSQLite

extension SQLiteStatement {
  /// Returns a column of the current row. The index starts at 0. A column after the last one is
  /// NULL.
  ///
  /// The result is valid until the statement steps or is reset.
  @inlinable
  public func column(_ index: Int) -> SQLiteColumn {
    column(at: Int32(clamping: index))
  }

  /// The same, for an index that was converted before.
  @inlinable
  package func column(at index: Int32) -> SQLiteColumn {
    SQLiteColumn(value: sqlite3_column_value(pointer, index))
  }
}

/// One value of a statement's current row, read without a copy or an allocation.
///
/// Reading it as another type than ``type`` converts it in the same way as SQLite.
@frozen
public struct SQLiteColumn {
  @usableFromInline package let value: OpaquePointer

  // The sqlite3_value functions take no mutex and clear no error; the sqlite3_column functions do
  // both. A row of seven columns takes 80 ns instead of 125.
  @inlinable
  package init(value: OpaquePointer) { self.value = value }

  /// SQLite's storage class of the value.
  @inlinable
  public var type: SQLiteColumnType {
    SQLiteColumnType(rawValue: sqlite3_value_type(value)) ?? .null
  }

  /// The number of SQLite's storage class of the value.
  @inlinable @inline(__always)
  package var typeCode: Int32 { sqlite3_value_type(value) }

  /// Whether the value is NULL.
  @inlinable
  public var isNull: Bool { sqlite3_value_type(value) == SQLITE_NULL }

  /// Whether the value is stored as an integer.
  @inlinable
  package var isInteger: Bool { sqlite3_value_type(value) == SQLITE_INTEGER }

  /// The value as an integer; 0 for NULL.
  @inlinable
  public var integer: Int64 { sqlite3_value_int64(value) }

  /// The value as a real number; 0 for NULL.
  @inlinable
  public var real: Double { sqlite3_value_double(value) }

  /// The value as text; "" for NULL. Invalid UTF-8 is repaired; ``textBytes`` contains the stored
  /// bytes.
  public var text: String { String(decoding: textBytes, as: UTF8.self) }

  /// The value as text; nil if it is NULL.
  package var textOrNil: String? { isNull ? nil : text }

  /// The bytes of the text, including NUL characters.
  @inlinable
  public var textBytes: UnsafeRawBufferPointer {
    guard let start = sqlite3_value_text(value) else { return .init(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The bytes of the blob.
  @inlinable
  public var blobBytes: UnsafeRawBufferPointer {
    guard let start = sqlite3_value_blob(value) else { return .init(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}

/// SQLite's storage classes.
public enum SQLiteColumnType: Int32, Sendable {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5
}
