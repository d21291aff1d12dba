import CMagicSQLite

extension SQLiteConnection {
  /// Returns the columns that a statement reads. Views are included without a column, and so are
  /// the tables of the views. The tables may include names that the statement defines, for example
  /// in a WITH clause.
  ///
  /// - Throws: ``SQLiteError`` if the SQL is invalid.
  package func reads(of sql: String) throws(SQLiteError) -> Set<SQLiteRead> {
    if !handle.hasGuard { handle.installGuard() }
    // A table-valued function declares its table when it is first used, which would be recorded as
    // a read of the schema.
    let first = try prepare(sql)
    handle.reads = []
    defer { handle.reads = nil }
    try withExtendedLifetime(first) { () throws(SQLiteError) in _ = try prepare(sql) }
    return handle.reads ?? []
  }

  /// Returns the tables that a statement opens, directly or through their indexes, according to
  /// EXPLAIN; none for a statement that is an EXPLAIN itself.
  package func tablesOpened(by sql: String) throws(SQLiteError) -> [String] {
    guard let explanation = try? prepare("EXPLAIN \(sql)") else { return [] }
    var pages: Set<Int64> = []
    while try explanation.step() {
      // Operand P3 is the database: 0 for the file.
      if explanation.column(1).text == "OpenRead", explanation.column(4).integer == 0 {
        pages.insert(explanation.column(3).integer)
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
