import CMagicRuntime
import CMagicSQLite

/// What SQLite answered when it did not answer well: its codes, its sentence and the SQL.
///
/// Values never appear in it: they are bound, and the SQL shows their places alone.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The primary result code, such as ``Code/busy``.
  public let code: Code

  /// The extended result code, such as 517 for `SQLITE_BUSY_SNAPSHOT`.
  public let extendedCode: Int32

  /// SQLite's own sentence.
  public let message: String

  /// The statement at fault; nil where none was at work.
  public let sql: String?

  /// Whether the file system grants no locks. Then no other process has the one that was asked for.
  package let grantsNoLocks: Bool

  /// A primary result code of SQLite.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number that SQLite's headers give the code.
    public let rawValue: Int32
    /// The code with this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// SQLITE_ERROR: the SQL is wrong.
    public static let error = Code(rawValue: SQLITE_ERROR)
    /// SQLITE_ABORT: the transaction is gone.
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
    /// SQLITE_IOERR: the file system failed.
    public static let inputOutput = Code(rawValue: SQLITE_IOERR)
    /// SQLITE_CORRUPT: the file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// SQLITE_FULL: the disk is full.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// SQLITE_CANTOPEN: the file cannot be opened.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// SQLITE_CONSTRAINT: a rule of the table is broken.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// SQLITE_TOOBIG: a text or blob is longer than SQLite stores.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
    /// SQLITE_MISUSE: the call makes no sense.
    public static let misuse = Code(rawValue: SQLITE_MISUSE)
    /// SQLITE_MISMATCH: a key that is not an integer.
    public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
    /// SQLITE_AUTH: the statement does what it may not.
    public static let unauthorized = Code(rawValue: SQLITE_AUTH)
    /// SQLITE_RANGE: there is no such parameter.
    public static let range = Code(rawValue: SQLITE_RANGE)
    /// SQLITE_NOTADB: the file is no database.
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
  /// The error a connection is in.
  init(handle: OpaquePointer?, resultCode: Int32, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? resultCode
    // The connection's own record is of another call where the primary codes differ.
    let isItsRecord = extended & 0xFF == resultCode & 0xFF
    let message =
      isItsRecord && handle != nil
      ? String(cString: sqlite3_errmsg(handle)) : String(cString: sqlite3_errstr(resultCode))
    self.init(
      extendedCode: isItsRecord ? extended : resultCode,
      message: resultCode & 0xFF == SQLITE_ERROR ? message.quoting(sql) : message, sql: sql)
  }

  /// The same error with the reason the system gave, where it gave one.
  func explained(bySystemError number: Int32) -> SQLiteError {
    guard number != 0, let reason = magic_sqlite3_system_error(number) else { return self }
    return SQLiteError(
      extendedCode: extendedCode, message: "\(message): \(String(cString: reason))", sql: sql,
      grantsNoLocks: isOfLock && magic_grants_no_locks(number))
  }

  /// Whether a lock was asked for.
  var isOfLock: Bool {
    switch code.rawValue {
    case SQLITE_BUSY, SQLITE_PROTOCOL: true
    // For reading, reserved, of the file, of the index of the log.
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

  /// The connections are closed for a while.
  package static func suspended() -> SQLiteError { .misuse("the database is suspended") }

  /// The connection, or the file, is the parent's of this process.
  package static func forked() -> SQLiteError {
    .misuse("the database was open when this process was forked from the one that opened it")
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The sentence for people.
  public var description: String {
    let place = sql.map { " in: \($0)" } ?? ""
    return "SQLite error \(extendedCode): \(message)\(place)"
  }
}

extension String {
  /// The same sentence without what it quotes of anything but the SQL: functions of SQLite quote
  /// values, as in "JSON path error near 'x'".
  fileprivate func quoting(_ sql: String?) -> String {
    for (opening, closing) in [("\"", "\""), ("'", "'"), ("[", "]")] as [(Character, Character)] {
      guard let start = firstIndex(of: opening), let end = lastIndex(of: closing), start < end
      else { continue }
      let quoted = self[index(after: start)..<end]
      guard sql?.holds(quoted) != true else { return self }
      return self[...start] + "…" + self[end...]
    }
    return self
  }

  private func holds(_ part: Substring) -> Bool {
    indices.contains { self[$0...].hasPrefix(part) }
  }
}
