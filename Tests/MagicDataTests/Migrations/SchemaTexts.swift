import MagicSQLite

extension SQLiteConnection {
  /// The texts of the first column.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }

  /// The names of a table's columns.
  func columns(of table: String) throws -> [String] {
    try texts("SELECT name FROM pragma_table_info('\(table)')")
  }
}
