/// A column whose rows name files, as the file knows it: its type need not be known.
struct AssetColumn: Hashable {
  let type: String?
  let table: String
  let column: String

  /// Equal for what is one column to SQLite.
  var key: [String] { [table.folded, column.folded] }
}
