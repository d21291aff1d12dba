package import MagicEngine
package import MagicSQLite

extension ResultDigest {
  /// Adds columns of the row that a statement is at, counted from 0.
  package func add(_ statement: SQLiteStatement, _ columns: Range<Int>) {
    for index in columns { add(statement.column(index)) }
  }

  /// Adds all columns of a row.
  func add(_ row: borrowing SQLiteRow) {
    for index in 0..<row.columnCount { add(row.column(index)) }
  }

  private func add(_ column: SQLiteColumn) {
    switch column.type {
    case .integer: add(integer: column.integer)
    case .real: add(real: column.real)
    case .text: add(text: column.textBytes)
    case .blob: add(blob: column.blobBytes)
    case .null: addNull()
    }
  }
}
