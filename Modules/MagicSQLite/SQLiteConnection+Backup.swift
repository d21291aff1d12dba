import CMagicSQLite

/// Copies a database into another, page by page.
///
/// The last step commits the copy. If the source connection has a transaction open, the copy
/// contains the snapshot of that transaction, even if other connections write. The backup must end
/// before either connection is closed.
package final class SQLiteBackup {
  /// The backup pointer; nil once the backup has ended.
  private var pointer: OpaquePointer?
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// The number of pages of the source; 0 before the first step.
  package private(set) var pageCount = 0
  /// The number of pages that were copied.
  package private(set) var pagesDone = 0

  /// - Parameter target: an empty database, with no transaction open.
  package init(of source: SQLiteConnection, to target: SQLiteConnection) throws(SQLiteError) {
    self.source = source
    self.target = target
    pointer = sqlite3_backup_init(try target.pointer(), "main", try source.pointer(), "main")
    guard pointer != nil else {
      let handle = target.handle.pointer
      throw SQLiteError(handle: handle, resultCode: sqlite3_errcode(handle))
    }
  }

  deinit { end() }

  /// Ends the backup, even if it is incomplete. The last step also ends it.
  package func end() {
    guard let pointer, !source.handle.isForked else { return }
    self.pointer = nil
    sqlite3_backup_finish(pointer)
  }

  /// Copies more pages.
  ///
  /// - Returns: whether pages are left.
  package func step(pages: Int) throws(SQLiteError) -> Bool {
    try source.handle.checkNotForked()
    guard let pointer else { throw .misuse("the backup has ended") }
    let code = sqlite3_backup_step(pointer, Int32(clamping: pages))
    pageCount = Int(sqlite3_backup_pagecount(pointer))
    pagesDone = pageCount - Int(sqlite3_backup_remaining(pointer))
    if code == SQLITE_OK { return true }
    end()
    guard code == SQLITE_DONE else { throw error(code) }
    return false
  }

  // Neither connection has the error of a step, so its extended code is not available.
  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(extendedCode: code, message: String(cString: sqlite3_errstr(code)))
  }
}

extension SQLiteConnection {
  /// Prepares a database that a backup is written to and that no other connection opens. SQLite
  /// then creates no log file, and the end of the backup syncs the database to disk.
  package func prepareForCopy() throws(SQLiteError) {
    _ = try text("PRAGMA journal_mode = MEMORY")
    try setDurability(configuration.durability)
  }

  /// Shrinks the page cache, for a connection that reads every page once.
  package func prepareForFullScan() throws(SQLiteError) {
    try execute("PRAGMA cache_size = -4096; PRAGMA temp_store = FILE")
  }
}
