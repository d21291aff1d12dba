import CMagicSQLite
package import MagicRuntime

extension SQLiteConnection {
  /// The index of the log, which this connection has read or written; nil where the database has none.
  package var walIndex: WALIndex? {
    guard let pointer = handle.pointer else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // The first region, in the size that SQLite itself asks for.
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    return WALIndex(region)
  }

  /// Whether another program has moved, removed, replaced or emptied the file since it was opened.
  package var isFileMoved: Bool { connectionFiles.map { !$0.hasDatabase } ?? false }

  /// The file as it was when ``isFileMoved`` was last asked.
  package var fileStatus: FileStatus? { connectionFiles?.status }

  /// The same for the log. Asked inside a transaction that may write.
  package var isLogMoved: Bool { logState != .inPlace }

  private var logState: ConnectionFiles.LogState {
    guard let connectionFiles, let index = walIndex else { return .inPlace }
    return connectionFiles.logState(index)
  }

  /// Whether another program has cut off or overwritten what this connection has written to the log.
  package var isLogDamaged: Bool { logState == .damaged }

  /// Whether the log stays as it is when the connection is closed, instead of being moved into the
  /// database. A log that is there when the database is opened stays until ``prepareForWriting()``: it
  /// may belong to another database, and destroy this one.
  package func keepLogWhenClosed(_ isKept: Bool = true) {
    try? setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept)
  }

  /// Whether the database keeps a write-ahead log.
  package var hasLog: Bool { (try? text("PRAGMA journal_mode")) == "wal" }
}
