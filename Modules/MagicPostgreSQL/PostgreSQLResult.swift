import CPostgreSQL

/// The result of a statement: its rows in memory, and the number of rows that it changed.
package final class PostgreSQLResult {
  let pointer: OpaquePointer
  /// The number of rows.
  package let count: Int

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    count = Int(magic_PQntuples(pointer))
  }

  deinit { magic_PQclear(pointer) }

  package var columnCount: Int { Int(magic_PQnfields(pointer)) }

  /// The number of rows that the statement inserted, updated, deleted or returned.
  package var affectedCount: Int {
    magic_PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  package func columnName(_ column: Int) -> String {
    magic_PQfname(pointer, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
  }

  package func type(_ column: Int) -> PostgreSQLType {
    PostgreSQLType(oid: magic_PQftype(pointer, Int32(truncatingIfNeeded: column)))
  }

  /// Returns a value as an integer of one to eight bytes; 0 for NULL.
  package func integer(_ row: Int, _ column: Int) -> Int64 {
    withExtendedLifetime(self) { value(row, column).integer }
  }

  /// Returns a value as a real number; 0 for NULL.
  package func real(_ row: Int, _ column: Int) -> Double {
    withExtendedLifetime(self) { value(row, column).real }
  }

  /// Returns a value as a text; "" for NULL.
  package func text(_ row: Int, _ column: Int) -> String {
    withExtendedLifetime(self) { value(row, column).text }
  }

  package func isNull(_ row: Int, _ column: Int) -> Bool {
    magic_PQgetisnull(
      pointer, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) != 0
  }

  /// Returns a value. It is valid while the result exists, which the caller ensures: Swift may release a
  /// result after its last use, and the value does not retain it.
  package func value(_ row: Int, _ column: Int) -> PostgreSQLValue {
    let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
    guard magic_PQgetisnull(pointer, row, column) == 0,
      let start = magic_PQgetvalue(pointer, row, column)
    else { return PostgreSQLValue(bytes: nil) }
    return PostgreSQLValue(
      bytes: UnsafeRawBufferPointer(
        start: start, count: Int(magic_PQgetlength(pointer, row, column))))
  }
}

/// A value of a result in its binary form.
package struct PostgreSQLValue {
  /// The bytes; nil for NULL. The bytes of a text are its stored form, see ``PostgreSQLText``.
  package let bytes: UnsafeRawBufferPointer?

  package init(bytes: UnsafeRawBufferPointer?) { self.bytes = bytes }

  package var isNull: Bool { bytes == nil }

  /// The value as an integer of one to eight bytes; 0 for NULL.
  package var integer: Int64 {
    guard let bytes else { return 0 }
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 1: return Int64(bytes[0])
    default: return 0
    }
  }

  /// The value as a real number; 0 for NULL.
  package var real: Double {
    guard let bytes, bytes.count == 8 else { return 0 }
    return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
  }

  /// The value as a text; "" for NULL.
  package var text: String {
    guard let bytes else { return "" }
    return PostgreSQLText.unescape(bytes).map { String(decoding: $0, as: UTF8.self) }
      ?? String(decoding: bytes, as: UTF8.self)
  }
}
