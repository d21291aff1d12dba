import CSQLite

/// A copy of one database into another, page by page.
///
/// It ends when it is finished or let go of; what was copied is committed by the last step. While the
/// source has a transaction open the copy is of its snapshot, whatever others write.
package final class SQLiteBackup {
  private var pointer: OpaquePointer?
  // The pages of both belong to connections that must live as long.
  private let source: SQLiteConnection
  private let target: SQLiteConnection

  /// - Parameter target: an empty database, with no transaction open.
  package init(of source: SQLiteConnection, to target: SQLiteConnection) throws(SQLiteError) {
    self.source = source
    self.target = target
    pointer = sqlite3_backup_init(try target.pointer(), "main", try source.pointer(), "main")
    guard pointer != nil else {
      throw SQLiteError(handle: target.handle.pointer, resultCode: SQLITE_ERROR)
    }
  }

  deinit { sqlite3_backup_finish(pointer) }

  /// The pages of the source; 0 before the first step.
  package var pageCount: Int { Int(sqlite3_backup_pagecount(pointer)) }

  /// The pages that were copied.
  package var pagesDone: Int { pageCount - Int(sqlite3_backup_remaining(pointer)) }

  /// Copies some pages more.
  ///
  /// - Returns: whether there are others left.
  package func step(pages: Int) throws(SQLiteError) -> Bool {
    let code = sqlite3_backup_step(pointer, Int32(clamping: pages))
    switch code {
    case SQLITE_OK: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
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
