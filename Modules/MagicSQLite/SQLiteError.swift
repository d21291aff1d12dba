import CMagicRuntime
import CMagicSQLite

/// An error of SQLite: its result codes, its message and the SQL.
///
/// An error contains no values: they are bound, and the SQL contains only parameters.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The primary result code, for example ``Code/busy``.
  public let code: Code

  /// The extended result code, for example 517 for `SQLITE_BUSY_SNAPSHOT`.
  public let extendedCode: Int32

  /// SQLite's error message.
  public let message: String

  /// The SQL of the statement that failed; nil if the error is not about a statement.
  public let sql: String?

  /// Whether the file system supports no locks. In that case no other process holds the requested
  /// lock.
  package let grantsNoLocks: Bool

  /// A primary result code of SQLite.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number of the code in SQLite's header.
    public let rawValue: Int32
    /// Creates the code with a number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// SQLITE_ERROR: the SQL is invalid.
    public static let error = Code(rawValue: SQLITE_ERROR)
    /// SQLITE_ABORT: the transaction was rolled back.
    public static let abort = Code(rawValue: SQLITE_ABORT)
    /// SQLITE_BUSY: another connection holds the lock.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// SQLITE_LOCKED: this connection holds the lock itself.
    public static let locked = Code(rawValue: SQLITE_LOCKED)
    /// SQLITE_NOMEM: out of memory.
    public static let outOfMemory = Code(rawValue: SQLITE_NOMEM)
    /// SQLITE_READONLY: the database cannot be written.
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    /// SQLITE_INTERRUPT: the statement was interrupted.
    public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
    /// SQLITE_IOERR: the file system reported an error.
    public static let inputOutput = Code(rawValue: SQLITE_IOERR)
    /// SQLITE_CORRUPT: the file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// SQLITE_FULL: the disk is full.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// SQLITE_CANTOPEN: the file cannot be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// SQLITE_CONSTRAINT: a constraint of the table failed.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// SQLITE_TOOBIG: a text or blob is longer than SQLite can store.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
    /// SQLITE_MISUSE: the call is not allowed.
    public static let misuse = Code(rawValue: SQLITE_MISUSE)
    /// SQLITE_MISMATCH: a row ID is not an integer.
    public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
    /// SQLITE_AUTH: the statement is not authorized.
    public static let unauthorized = Code(rawValue: SQLITE_AUTH)
    /// SQLITE_RANGE: the parameter does not exist.
    public static let range = Code(rawValue: SQLITE_RANGE)
    /// SQLITE_NOTADB: the file is not a database.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
  }

  package init(
    extendedCode: Int32, message: String, sql: String? = nil, grantsNoLocks: Bool = false
  ) {
    self.code = Code(rawValue: extendedCode & 0xFF)
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.grantsNoLocks = grantsNoLocks
  }
}

extension SQLiteError {
  /// Creates the error for a result code of a call on a connection.
  init(handle: OpaquePointer?, resultCode: Int32, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? resultCode
    // If the primary codes differ, the connection's error is from another call.
    let isSameError = extended & 0xFF == resultCode & 0xFF
    let message =
      isSameError && handle != nil
      ? String(cString: sqlite3_errmsg(handle)) : String(cString: sqlite3_errstr(resultCode))
    self.init(
      extendedCode: isSameError ? extended : resultCode,
      message: resultCode & 0xFF == SQLITE_ERROR ? message.quoting(sql) : message, sql: sql)
  }

  /// Returns the same error with the system's reason, if there is one.
  func explained(bySystemError number: Int32) -> SQLiteError {
    guard number != 0, let reason = magic_sqlite3_system_error(number) else { return self }
    return SQLiteError(
      extendedCode: extendedCode, message: "\(message): \(String(cString: reason))", sql: sql,
      grantsNoLocks: isLockError && magic_grants_no_locks(number))
  }

  /// Whether the failed call requested a lock.
  var isLockError: Bool {
    switch code.rawValue {
    case SQLITE_BUSY, SQLITE_PROTOCOL: true
    // The codes of a read lock, a reserved lock, a file lock, and a lock on the log index.
    case SQLITE_IOERR: [9, 14, 15, 20].contains(extendedCode >> 8)
    default: false
    }
  }

  package static func misuse(_ message: String, sql: String? = nil) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_MISUSE, message: message, sql: sql)
  }

  /// The connection or database was closed before the call.
  package static func closed(sql: String? = nil) -> SQLiteError {
    .misuse("the database is closed", sql: sql)
  }

  /// The database is suspended, and its connections are closed.
  package static func suspended() -> SQLiteError { .misuse("the database is suspended") }

  /// The connection, or the file, belongs to the parent of this process.
  package static func forked() -> SQLiteError {
    .misuse("the database was open when this process was forked from the one that opened it")
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message with its code and its SQL.
  public var description: String {
    let place = sql.map { " in: \($0)" } ?? ""
    return "SQLite error \(extendedCode): \(message)\(place)"
  }
}

extension String {
  /// Returns the same message without quoted text that is not part of the SQL. SQL functions quote
  /// values in their errors, for example in "JSON path error near 'x'".
  fileprivate func quoting(_ sql: String?) -> String {
    for (opening, closing) in [("\"", "\""), ("'", "'"), ("[", "]")] as [(Character, Character)] {
      guard let start = firstIndex(of: opening), let end = lastIndex(of: closing), start < end
      else { continue }
      let quoted = self[index(after: start)..<end]
      guard sql?.hasSubstring(quoted) != true else { return self }
      return self[...start] + "…" + self[end...]
    }
    return self
  }

  private func hasSubstring(_ part: Substring) -> Bool {
    indices.contains { self[$0...].hasPrefix(part) }
  }
}
