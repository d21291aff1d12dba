import CMagicSQLite

/// Pages of the file that contain no data. SQLite reuses them for later writes.
extension SQLiteConnection {
  /// The numbers of pages of a file.
  package struct PageCounts {
    /// The pages that contain no data.
    package let free: Int
    /// All pages.
    package let all: Int
  }

  /// The numbers of pages, inside a transaction with the changes that it has made.
  package func pageCounts() throws(SQLiteError) -> PageCounts {
    PageCounts(free: try freePageCount(), all: try cachedCount("PRAGMA page_count"))
  }

  /// The number of pages that contain no data.
  package func freePageCount() throws(SQLiteError) -> Int {
    try cachedCount("PRAGMA freelist_count")
  }

  private func cachedCount(_ sql: String) throws(SQLiteError) -> Int {
    let statement = try cachedStatement(sql)
    defer { statement.reset() }
    return try statement.step() ? Int(statement.column(0).integer) : 0
  }

  /// Whether ``returnFreePages(atMost:while:)`` can return pages of this file.
  package func hasIncrementalVacuum() throws(SQLiteError) -> Bool {
    try integer("PRAGMA auto_vacuum") == 2
  }

  /// Makes a new file one whose free pages can be returned. Called before the first page is
  /// written, which setting the journal mode does. In a file that has pages, this has no effect
  /// until the next ``vacuum()``.
  func prepareForIncrementalVacuum() throws(SQLiteError) {
    guard try integer("PRAGMA page_count") == 0 else { return }
    try execute("PRAGMA auto_vacuum = INCREMENTAL")
  }

  /// Moves the last pages of the file to free pages, so that the file becomes shorter with the next
  /// complete checkpoint. Called inside a transaction.
  ///
  /// - Parameter mayContinue: called after each page; returns whether to move another one.
  /// - Returns: the number of pages that are no longer used.
  package func returnFreePages(
    atMost count: Int, while mayContinue: () -> Bool
  ) throws(SQLiteError) -> Int {
    guard count > 0 else { return 0 }
    let statement = try cachedStatement("PRAGMA incremental_vacuum(2147483647)")
    defer { statement.reset() }
    // Each row is one page.
    var returned = 0
    while try statement.step() {
      returned += 1
      guard returned < count, mayContinue() else { break }
    }
    return returned
  }

  /// Writes all tables and indexes again, without free pages. Afterwards the file is one whose free
  /// pages can be returned. Called outside a transaction. It is one transaction: after an error the
  /// file is unchanged.
  ///
  /// Row IDs are kept, except those of tables without an INTEGER PRIMARY KEY and without an index.
  package func vacuum() throws {
    // The schema is compiled again. A file of another program may have texts in double quotes.
    try setFlag(SQLITE_DBCONFIG_DQS_DML, true)
    defer { try? setFlag(SQLITE_DBCONFIG_DQS_DML, false) }
    try setFlag(SQLITE_DBCONFIG_DQS_DDL, true)
    defer { try? setFlag(SQLITE_DBCONFIG_DQS_DDL, false) }
    try execute("PRAGMA auto_vacuum = INCREMENTAL")
    try execute("VACUUM")
  }
}
