import MagicSQLite

/// A table as it is in the file.
struct TableShape {
  struct Column {
    let name: String
    /// As it was declared; "" for none.
    let type: String
    let isRequired: Bool
    let isKey: Bool
  }

  /// As it is written in the file.
  let name: String
  let columns: [Column]
  let indexes: [String]
  /// The columns that hold names of files, in lower case.
  private let assets: Set<String>

  init(of table: String, on connection: SQLiteConnection) throws(SQLiteError) {
    name =
      try connection.text(
        "SELECT name FROM sqlite_master WHERE type = 'table' "
          + "AND name = \(table.literal) COLLATE NOCASE") ?? table

    let statement = try connection.prepare("PRAGMA table_info(\(table.quoted))")
    var columns: [Column] = []
    while try statement.step() {
      columns.append(
        Column(
          name: statement.column(1).text, type: statement.column(2).text,
          isRequired: statement.column(3).integer != 0, isKey: statement.column(5).integer != 0))
    }
    self.columns = columns

    let list = try connection.prepare("PRAGMA index_list(\(table.quoted))")
    var indexes: [String] = []
    while try list.step() { indexes.append(list.column(1).text) }
    self.indexes = indexes
    assets = try Catalogue(connection: connection).assetColumns(of: name)
  }

  func isFile(_ column: Column) -> Bool { assets.contains(column.name.lowercased()) }

  func column(named name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }
}
