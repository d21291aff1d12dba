import MagicSchema

/// A column whose rows name files, as the file knows it: its type need not be known.
package struct AssetColumn: Hashable {
  package let type: String?
  package let table: String
  package let column: String

  /// Equal for what is one column to SQLite.
  var key: [String] { [table.folded, column.folded] }
}
