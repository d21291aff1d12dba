package import MagicEngine
package import MagicSQLite

extension FieldBuffer {
  /// Appends the first columns of the row that a statement is at.
  package func append(_ statement: SQLiteStatement, width: Int) {
    let first = append(width)
    for index in 0..<width { set(field(of: statement.column(index)), at: first + index) }
  }

  /// A field with a copy of what a column holds.
  @inline(__always)
  private func field(of column: SQLiteColumn) -> Field {
    switch column.type {
    case .integer: .integer(column.integer)
    case .real: .real(column.real)
    case .text: copy(text: column.textBytes)
    case .blob: copy(blob: column.blobBytes)
    case .null: .null
    }
  }
}
