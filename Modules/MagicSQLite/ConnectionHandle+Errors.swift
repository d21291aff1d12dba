import CMagicRuntime
import CMagicSQLite

extension ConnectionHandle {
  /// Returns the error for a result code of SQLite.
  ///
  /// SQLite reports a file system without locks in the same way as a lock that another connection
  /// holds. This method therefore reads the error number of the system immediately, before another
  /// system call can replace it.
  func error(_ code: Int32, on database: OpaquePointer?, sql: String?) -> SQLiteError {
    let number: Int32
    switch code & 0xFF {
    case SQLITE_BUSY:
      number = lockErrorNumber
      lockErrorNumber = 0
    case SQLITE_PROTOCOL: number = magic_sqlite3_take_errno()
    case SQLITE_IOERR: number = sqlite3_system_errno(database)
    default: number = 0
    }
    let error = SQLiteError(handle: database, resultCode: code, sql: sql)
    guard error.isLockError, magic_grants_no_locks(number) else { return error }
    return error.explained(bySystemError: number)
  }

  /// Records an error if SQLite has ended the library's transaction with it.
  func noteRollback(because error: SQLiteError) {
    guard refusesCommits, rollbackCause == nil, let pointer, sqlite3_get_autocommit(pointer) != 0
    else { return }
    rollbackCause = error
  }
}
