import CMagicSQLite

extension SQLiteConnection {
  /// What a statement reads: views, without a column, and what is in them. Names of the statement's
  /// own, as those of a WITH clause, may be among the tables.
  ///
  /// - Throws: ``SQLiteError`` where the SQL makes no sense.
  package func reads(of sql: String) throws(SQLiteError) -> Set<SQLiteRead> {
    if !handle.hasGuard { handle.installGuard() }
    // A function that yields a table declares it when it is first met, which looks like a read of the
    // schema.
    let first = try prepare(sql)
    handle.reads = []
    defer { handle.reads = nil }
    try withExtendedLifetime(first) { () throws(SQLiteError) in _ = try prepare(sql) }
    return handle.reads ?? []
  }

  /// The tables that a statement opens, or whose indexes it does, by its own account of how it runs;
  /// none for one that is an account itself.
  package func tablesOpened(by sql: String) throws(SQLiteError) -> [String] {
    guard let account = try? prepare("EXPLAIN \(sql)") else { return [] }
    var pages: Set<Int64> = []
    while try account.step() {
      // The third parameter is the database: 0 for the file.
      if account.column(1).text == "OpenRead", account.column(4).integer == 0 {
        pages.insert(account.column(3).integer)
      }
    }
    let name = try cachedStatement("SELECT tbl_name FROM sqlite_master WHERE rootpage = ?")
    defer { name.reset() }
    var tables: [String] = []
    for page in pages {
      name.reset()
      try name.bind(page, at: 1)
      if try name.step() { tables.append(name.column(0).text) }
    }
    return tables
  }
}
