package import MagicEngine
package import MagicSQLite

extension QueryValue {
  /// Creates the value of a column.
  package init(_ column: SQLiteColumn) {
    self =
      switch column.type {
      case .integer: .integer(column.integer)
      case .real: .real(column.real)
      case .text: .text(column.text)
      case .blob: .blob(Array(column.blobBytes))
      case .null: .null
      }
  }
}
