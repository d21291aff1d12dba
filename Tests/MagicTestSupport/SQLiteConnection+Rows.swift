package import MagicSQLite

extension SQLiteConnection {
  /// All rows of a query, as texts.
  package func rows(_ sql: String) throws -> [[String]] {
    let statement = try prepare(sql)
    var rows: [[String]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.column($0).text })
    }
    return rows
  }

  /// The faults that SQLite's own check finds.
  package func damage() throws -> [String] {
    try rows("PRAGMA integrity_check").filter { $0 != ["ok"] }.map { "integrity_check: \($0)" }
      + rows("PRAGMA foreign_key_check").map { "foreign_key_check: \($0)" }
  }
}
