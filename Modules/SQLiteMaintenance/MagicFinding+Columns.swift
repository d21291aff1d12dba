import MagicEngine
import SQLiteTables

extension MagicFinding {
  /// Creates a finding about a column that contains names of files.
  init(_ kind: Kind, _ message: String, of column: AssetColumn, row: Int64?, file: String? = nil) {
    self.init(
      kind, message, type: column.type, table: column.table, column: column.column, row: row,
      file: file)
  }
}
