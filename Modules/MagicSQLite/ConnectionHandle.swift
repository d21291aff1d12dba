import CMagicRuntime
import CMagicSQLite
import MagicRuntime

/// Owns one `sqlite3` pointer. Statements retain it, so that no statement outlives its connection.
@usableFromInline
package final class ConnectionHandle {
  /// The database pointer; nil once the connection is closed.
  @exclusivity(unchecked) @usableFromInline package private(set) var pointer: OpaquePointer?
  /// The target of the trace callback. The handle retains it for as long as SQLite may call it.
  var tracer: Tracer?
  /// The statements that this library has compiled. Statements that an SQLite module compiles for
  /// its own use are not included.
  @exclusivity(unchecked) var statements: Set<OpaquePointer> = []
  /// Whether SQLite must refuse a commit, because a transaction of the library is open and only the
  /// library may end it.
  ///
  /// SQLite rolls back the transaction after some errors. A body that ignores the error would
  /// continue outside any transaction, and each further statement would be committed separately.
  @exclusivity(unchecked) var refusesCommits = false
  /// The first error that ended the library's transaction early.
  @exclusivity(unchecked) var rollbackCause: SQLiteError?
  /// Whether a transaction that could not be rolled back is still open. The library treats it as
  /// ended: it is never committed, and is rolled back before the next transaction begins.
  @exclusivity(unchecked) @usableFromInline package var isRollbackPending = false
  /// Whether the open transaction is a held snapshot that no caller has begun. It is then not
  /// visible to callers.
  @exclusivity(unchecked) @usableFromInline package var isTransactionHidden = false
  /// The row ID of the row that was updated last, and the number of updated rows, while the update
  /// hook is installed.
  @exclusivity(unchecked) var updatedRow: (key: Int64, count: Int) = (0, 0)
  /// The rows that the transaction has changed; nil if they are not recorded.
  @exclusivity(unchecked) var changedRows: ChangedRows?
  /// The number of pages in the write-ahead log after the last commit, until a caller takes it.
  @exclusivity(unchecked) var logSize: Int?
  /// The tables that the statement being compiled must not write to; nil for a statement of the
  /// library.
  @exclusivity(unchecked) var guardedTables: [String]?
  var hasGuard = false
  /// Whether the authorizer has already been called for the guarded statement being compiled.
  @exclusivity(unchecked) var hasGuardedAction = false
  /// The columns that the statement being compiled reads; nil if they are not recorded.
  @exclusivity(unchecked) var reads: Set<SQLiteRead>?
  /// The collations of locales that the connection does not have, in lower case.
  @exclusivity(unchecked) var withheldCollations: Set<String> = []
  @exclusivity(unchecked) var mayHaveOutdatedIndexes = false
  /// How long to wait for a lock, in milliseconds.
  @exclusivity(unchecked) var busyTimeout: Int32 = 0
  /// The system's error number if the file system granted no lock during the current call; else 0.
  @exclusivity(unchecked) var lockErrorNumber: Int32 = 0
  /// Whether the connection has stopped waiting for locks. Other threads set it.
  let hasStoppedWaiting: UnsafeMutablePointer<UInt32>
  /// Whether a snapshot is held. Other threads read it.
  private let holdsSnapshotWord: UnsafeMutablePointer<UInt32>
  private let origin = ProcessOrigin()
  private var file: FileIdentity?

  /// - Parameter file: the path of the database file; nil if SQLite takes no locks on it.
  init(path: String, file: String? = nil, flags: Int32) throws(SQLiteError) {
    try SQLiteLibrary.current.requireSupported()
    hasStoppedWaiting = .allocate(capacity: 1)
    hasStoppedWaiting.initialize(to: 0)
    holdsSnapshotWord = .allocate(capacity: 1)
    holdsSnapshotWord.initialize(to: 0)
    guard !path.utf8.contains(0) else { throw .misuse("the path contains a NUL character") }
    if let known = file.flatMap(FileIdentity.init) {
      try ConnectionCounts.shared.enter(known)
      self.file = known
    }
    var pointer: OpaquePointer?
    let code = sqlite3_open_v2(path, &pointer, flags, nil)
    guard code == SQLITE_OK else {
      let error = SQLiteError(handle: pointer, resultCode: code).explained(
        bySystemError: sqlite3_system_errno(pointer))
      sqlite3_close_v2(pointer)
      leaveFile()
      throw error
    }
    self.pointer = pointer
    if self.file == nil, let created = file.flatMap(FileIdentity.init) {
      try ConnectionCounts.shared.enter(created)
      self.file = created
    }
    sqlite3_extended_result_codes(pointer, 1)
    sqlite3_commit_hook(
      pointer,
      { context in
        guard let context else { return 0 }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        return handle.refusesCommits ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Closes the connection. SQLite keeps its own objects until the last statement that is still
  /// retained is released.
  func close() {
    guard let pointer, !isForked else { return }
    self.pointer = nil
    sqlite3_trace_v2(pointer, 0, nil, nil)
    let isLast = sqlite3_next_stmt(pointer, nil) == nil
    sqlite3_close_v2(pointer)
    if isLast { leaveFile() }
  }

  /// Whether a snapshot is held, hidden or used by a caller. Any thread may read it.
  var holdsSnapshot: Bool {
    get { magic_flag_load(holdsSnapshotWord) }
    set { magic_flag_store(holdsSnapshotWord, newValue) }
  }

  /// The absolute path of the file; nil for a database in memory.
  var fullPath: String? {
    guard let pointer, let path = sqlite3_db_filename(pointer, "main"), path[0] != 0 else {
      return nil
    }
    return String(cString: path)
  }

  /// Whether the connection belongs to the parent process of this one. The connection is then not
  /// used, not even closed: SQLite would write to the parent's file and release its locks.
  var isForked: Bool { origin.isForked }

  func checkNotForked() throws(SQLiteError) {
    guard !isForked else { throw .forked() }
  }

  private func leaveFile() {
    if let file { ConnectionCounts.shared.leave(file) }
    file = nil
  }

  deinit {
    guard !isForked else { return }
    close()
    leaveFile()
    hasStoppedWaiting.deallocate()
    holdsSnapshotWord.deallocate()
  }
}
