package import MagicEngine
package import MagicSQLite

extension ResultDigest {
  /// Adds columns of a statement's current row. Indexes start at 0.
  package func add(_ statement: SQLiteStatement, _ columns: Range<Int>) {
    for index in columns { add(ColumnReader(column: statement.column(index))) }
  }

  /// Adds all columns of a row.
  func add(_ row: borrowing SQLiteRow) {
    for index in 0..<row.columnCount { add(ColumnReader(column: row.column(index))) }
  }
}
