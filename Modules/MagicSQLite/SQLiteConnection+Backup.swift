import CMagicSQLite

/// A copy of one database into another, page by page.
///
/// What was copied is committed by the last step. While the source has a transaction open the copy is
/// of its snapshot, whatever others write. It must have ended before either connection is closed.
package final class SQLiteBackup {
  /// Nil once it has ended.
  private var pointer: OpaquePointer?
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// The pages of the source; 0 before the first step.
  package private(set) var pageCount = 0
  /// The pages that were copied.
  package private(set) var pagesDone = 0

  /// - Parameter target: an empty database, with no transaction open.
  package init(of source: SQLiteConnection, to target: SQLiteConnection) throws(SQLiteError) {
    self.source = source
    self.target = target
    pointer = sqlite3_backup_init(try target.pointer(), "main", try source.pointer(), "main")
    guard pointer != nil else {
      throw SQLiteError(handle: target.handle.pointer, resultCode: SQLITE_ERROR)
    }
  }

  deinit { end() }

  /// Ends the copy, whole or not. It ends by itself with its last step.
  package func end() {
    guard let pointer, !source.handle.isForked else { return }
    self.pointer = nil
    sqlite3_backup_finish(pointer)
  }

  /// Copies some pages more.
  ///
  /// - Returns: whether there are others left.
  package func step(pages: Int) throws(SQLiteError) -> Bool {
    try source.handle.refuseForked()
    guard let pointer else { throw .misuse("the copy has ended") }
    let code = sqlite3_backup_step(pointer, Int32(clamping: pages))
    pageCount = Int(sqlite3_backup_pagecount(pointer))
    pagesDone = pageCount - Int(sqlite3_backup_remaining(pointer))
    if code == SQLITE_OK { return true }
    end()
    guard code == SQLITE_DONE else { throw error(code) }
    return false
  }

  // The code of a step stands on neither connection, so that its extended form is kept from it.
  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(extendedCode: code, message: String(cString: sqlite3_errstr(code)))
  }
}

extension SQLiteConnection {
  /// Prepares a database that a copy is written to and nobody else opens: no side file is made, and
  /// the end of the copy brings it to the disk.
  package func prepareForCopy() throws(SQLiteError) {
    _ = try text("PRAGMA journal_mode = MEMORY")
    try setDurability(configuration.durability)
  }

  /// Keeps less in memory, for a connection that looks at every page once.
  package func prepareForWholeReads() throws(SQLiteError) {
    try execute("PRAGMA cache_size = -4096; PRAGMA temp_store = FILE")
  }
}
