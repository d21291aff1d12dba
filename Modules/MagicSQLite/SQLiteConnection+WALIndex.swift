import CMagicSQLite
package import MagicRuntime

extension SQLiteConnection {
  /// The index of the write-ahead log that this connection has read or written; nil if the database
  /// has no log.
  package var walIndex: WALIndex? { walIndexAddress.flatMap { WALIndex($0) } }

  /// The address of the shared index. It is valid until the connection is closed: SQLite closes the
  /// log of an open connection only for a change of the journal mode, which needs a lock that no
  /// connection gets while another one is open. Nil also if the index cannot be shared.
  ///
  /// The connection must have opened the log, because SQLite creates the file of the index otherwise.
  var walIndexAddress: UnsafeRawPointer? {
    guard let pointer = handle.pointer else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // Maps the first region, in the size that SQLite itself uses.
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    return UnsafeRawPointer(region)
  }

  /// The same as ``walIndexAddress``, found once. A connection that holds snapshots finds it with
  /// its second read.
  package var logIndexAddress: UnsafeRawPointer? {
    if let held { return held.address }
    guard connectionFiles != nil, configuration.access != .immutable else { return nil }
    if knownLogIndex == nil { knownLogIndex = walIndexAddress }
    return knownLogIndex
  }

  /// Whether another program has moved, deleted, replaced or truncated the database file since it
  /// was opened.
  package var isFileMoved: Bool { connectionFiles.map { !$0.hasDatabase } ?? false }

  /// The status of the database file at the last read of ``isFileMoved``.
  package var fileStatus: FileStatus? { connectionFiles?.status }

  /// Whether another program has moved, deleted, replaced or truncated the log. Read inside a
  /// transaction that may write.
  package var isLogMoved: Bool { logState != .inPlace }

  private var logState: ConnectionFiles.LogState {
    guard let connectionFiles, let index = walIndex else { return .inPlace }
    return connectionFiles.logState(index)
  }

  /// Whether another program has truncated or overwritten the frames of this connection in the log.
  /// Read inside a transaction that may write.
  package var isLogDamaged: Bool { logState == .damaged }

  /// Sets whether closing the connection keeps the log, instead of copying it to the database. A
  /// log that exists when the database is opened is kept until ``prepareForWriting()``: it may
  /// belong to another database, and copying it would destroy this one.
  package func keepLogWhenClosed(_ isKept: Bool = true) {
    try? setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept)
  }

  /// Whether the database uses a write-ahead log.
  package var hasLog: Bool { (try? text("PRAGMA journal_mode")) == "wal" }
}
