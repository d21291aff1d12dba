import CMagicRuntime
import CMagicSQLite

extension ConnectionHandle {
  /// The error that a call of SQLite ended with.
  ///
  /// SQLite reports a file system without locks as a lock that another connection has. What the system
  /// said is asked for at once, before another call of its can fail.
  func error(_ code: Int32, on database: OpaquePointer?, sql: String?) -> SQLiteError {
    let number: Int32
    switch code & 0xFF {
    case SQLITE_BUSY:
      number = lockRefusal
      lockRefusal = 0
    case SQLITE_PROTOCOL: number = magic_sqlite3_take_errno()
    case SQLITE_IOERR: number = sqlite3_system_errno(database)
    default: number = 0
    }
    let error = SQLiteError(handle: database, resultCode: code, sql: sql)
    guard error.isOfLock, magic_grants_no_locks(number) else { return error }
    return error.explained(bySystemError: number)
  }

  /// Notes an error where SQLite has ended the library's transaction with it.
  func noteRollback(because error: SQLiteError) {
    guard refusesCommits, rollbackCause == nil, let pointer, sqlite3_get_autocommit(pointer) != 0
    else { return }
    rollbackCause = error
  }
}
