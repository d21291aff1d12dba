import MagicSchema

/// A column whose rows contain names of files, as the file describes it. The program need not have
/// the column's type.
package struct AssetColumn: Hashable {
  package let type: String?
  package let table: String
  package let column: String

  package init(type: String?, table: String, column: String) {
    (self.type, self.table, self.column) = (type, table, column)
  }

  /// Equal for names that SQLite treats as the same column.
  var key: [String] { [table.folded, column.folded] }
}
