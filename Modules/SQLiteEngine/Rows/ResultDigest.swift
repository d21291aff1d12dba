package import MagicSQLite

/// Takes down what is read, byte for byte, as a number of 128 bits with this process's own seed: two
/// results that have one number are equal.
package final class ResultDigest {
  private var first = Hasher()
  private var second = Hasher()

  package init() { second.combine(0x6D61_6769_63) }

  /// Adds columns of the row that a statement is at, counted from 0.
  package func add(_ statement: SQLiteStatement, _ columns: Range<Int>) {
    for index in columns { add(statement.column(index)) }
  }

  /// Adds all columns of a row.
  func add(_ row: borrowing SQLiteRow) {
    for index in 0..<row.columnCount { add(row.column(index)) }
  }

  /// Adds that another statement is run.
  func add(statement sql: String) {
    var sql = sql
    sql.withUTF8 { add(7, UnsafeRawBufferPointer($0)) }
  }

  private func add(_ column: SQLiteColumn) {
    switch column.type {
    case .integer: add(1, integer: column.integer)
    case .real: add(2, integer: Int64(bitPattern: column.real.bitPattern))
    case .text: add(3, column.textBytes)
    case .blob: add(4, column.blobBytes)
    case .null: add(5, integer: 0)
    }
  }

  /// Adds a number, such as that of rows which were left out.
  package func add(_ number: Int) { add(6, integer: Int64(number)) }

  private func add(_ kind: UInt8, integer: Int64) {
    first.combine(kind)
    first.combine(integer)
    second.combine(kind)
    second.combine(integer)
  }

  private func add(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) {
    add(kind, integer: Int64(bytes.count))
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
  }

  /// What was added so far.
  package var value: Value {
    let (first, second) = (first, second)
    return Value(first: first.finalize(), second: second.finalize())
  }

  /// Names a result.
  package struct Value: Equatable, Sendable {
    let first: Int
    let second: Int
  }
}
