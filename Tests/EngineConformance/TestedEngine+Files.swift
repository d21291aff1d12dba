import MagicSQLite

extension TestedEngine {
  /// Whether a table of the file, such as a join table, has that many rows. True on an engine
  /// without files.
  public func hasRows(_ count: Int64, in table: String, path: String) throws -> Bool {
    guard has(.files) else { return true }
    return try withFile(path) { file in
      try file.integer("SELECT count(*) FROM \"\(table)\"") == count
    }
  }

  /// Whether the file passes SQLite's integrity check and the check of foreign keys. True on an
  /// engine without files.
  public func isWhole(path: String) throws -> Bool {
    guard has(.files) else { return true }
    return try withFile(path) { file in
      try file.text("PRAGMA integrity_check") == "ok"
        && file.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0
    }
  }

  private func withFile<Result>(
    _ path: String, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let file = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: 5))
    defer { file.close() }
    return try body(file)
  }
}
