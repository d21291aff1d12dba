import CMagicSQLite
import MagicRuntime

/// Owns one `sqlite3` pointer. Statements hold it too, so that none outlives its connection.
@usableFromInline
package final class ConnectionHandle {
  /// Nil once closed.
  @exclusivity(unchecked) @usableFromInline package private(set) var pointer: OpaquePointer?
  /// What the trace callback calls; kept alive as long as SQLite may call it.
  var tracer: Tracer?
  /// The statements that were compiled for this library. Those that a module of SQLite compiles for
  /// itself are not among them.
  @exclusivity(unchecked) var statements: Set<OpaquePointer> = []
  /// Whether a commit is a mistake: a transaction of the library's is open, and did not end it.
  ///
  /// After some errors SQLite rolls back by itself. A body that passes over such an error goes on
  /// outside any transaction, and each further statement would be stored on its own.
  @exclusivity(unchecked) var refusesCommits = false
  /// The first error that ended the library's transaction before it was to end.
  @exclusivity(unchecked) var rollbackCause: SQLiteError?
  /// Whether a transaction is still open that could not be rolled back: then it counts as over, is
  /// never committed, and is rolled back before the next one begins.
  @exclusivity(unchecked) @usableFromInline package var isDoomed = false
  /// The key of the row that was updated last, and how many were, while somebody watches.
  @exclusivity(unchecked) var updatedRow: (key: Int64, count: Int) = (0, 0)
  /// The pages in the write-ahead log after the last commit, until somebody asks.
  @exclusivity(unchecked) var logSize: Int?
  /// The tables that the statement which is being compiled must not write to; nil for a statement
  /// of the library's own.
  @exclusivity(unchecked) var guarded: [String]?
  var hasGuard = false
  /// Whether the guarded statement that is being compiled has been asked about already.
  @exclusivity(unchecked) var hasGuardedAction = false
  /// What the statement that is being compiled reads; nil where nobody wants to know.
  @exclusivity(unchecked) var reads: Set<SQLiteRead>?
  /// The tables that rows were taken down of, by their numbers.
  @exclusivity(unchecked) var touched: [Int] = []
  /// How long a lock is waited for, in milliseconds.
  @exclusivity(unchecked) var busyTimeout: Int32 = 0
  /// The system's number, where it granted no lock in the call that ends now.
  @exclusivity(unchecked) var lockRefusal: Int32 = 0
  /// Whether no lock is waited for any more; set by other threads.
  let hasGivenUp: UnsafeMutablePointer<UInt32>
  private let origin = ProcessOrigin()
  private var file: FileIdentity?

  /// - Parameter file: the path of the file; nil for one that no lock is taken of.
  init(path: String, file: String? = nil, flags: Int32) throws(SQLiteError) {
    try SQLiteLibrary.current.requireSupported()
    hasGivenUp = .allocate(capacity: 1)
    hasGivenUp.initialize(to: 0)
    guard !path.utf8.contains(0) else { throw .misuse("the path holds a NUL character") }
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
    if self.file == nil, let made = file.flatMap(FileIdentity.init) {
      try ConnectionCounts.shared.enter(made)
      self.file = made
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

  /// Statements that are still held elsewhere keep SQLite's side alive until they end.
  func close() {
    guard let pointer, !isForked else { return }
    self.pointer = nil
    sqlite3_trace_v2(pointer, 0, nil, nil)
    let isLast = sqlite3_next_stmt(pointer, nil) == nil
    sqlite3_close_v2(pointer)
    if isLast { leaveFile() }
  }

  /// The path of the file from the root on; nil for a database in memory.
  var fullPath: String? {
    guard let pointer, let path = sqlite3_db_filename(pointer, "main"), path[0] != 0 else {
      return nil
    }
    return String(cString: path)
  }

  /// Whether the connection belongs to the process that this one was forked from. Nothing is done with
  /// it then, not even closing: SQLite would write to the parent's file and end its locks.
  var isForked: Bool { origin.isForked }

  func refuseForked() throws(SQLiteError) {
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
    hasGivenUp.deallocate()
  }
}
