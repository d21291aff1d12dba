package import MagicEngine
package import MagicSQLite

extension FieldBuffer {
  /// Appends the first columns of the row that a statement is at.
  package func append(_ statement: SQLiteStatement, width: Int) {
    let first = append(width)
    for index in 0..<width {
      set(field(of: ColumnReader(column: statement.column(index))), at: first + index)
    }
  }
}
