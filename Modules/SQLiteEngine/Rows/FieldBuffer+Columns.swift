package import MagicEngine
package import MagicSQLite

extension FieldBuffer {
  /// Appends the first columns of a statement's current row.
  package func append(_ statement: SQLiteStatement, width: Int) {
    let first = append(width)
    for index in 0..<width {
      set(field(of: ColumnReader(column: statement.column(index))), at: first + index)
    }
  }
}
