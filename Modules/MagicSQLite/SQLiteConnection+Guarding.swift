import CMagicSQLite

/// SQL that others wrote.
extension SQLiteConnection {
  /// Like ``cachedStatement(_:)``, with a cache of its own, for SQL that must not begin or end
  /// transactions, attach databases, change settings, or write to some tables by its own words;
  /// triggers may.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/Code/unauthorized`` for such SQL.
  package func cachedStatement(
    _ sql: String, guarding tables: [String]
  ) throws(SQLiteError) -> SQLiteStatement {
    beginGuarding(tables)
    defer { handle.guarded = nil }
    return try cachedStatement(sql, in: &guardedStatements)
  }

  /// Like ``prepare(_:)`` for the same kind of SQL.
  package func prepare(
    _ sql: String, guarding tables: [String]
  ) throws(SQLiteError) -> SQLiteStatement {
    beginGuarding(tables)
    defer { handle.guarded = nil }
    return try prepare(sql)
  }

  private func beginGuarding(_ tables: [String]) {
    if !handle.hasGuard { handle.installGuard() }
    handle.guarded = tables
    handle.hasGuardedAction = false
  }

  /// Runs statements that end with ``SQLiteError/Code/interrupted`` soon after the task is
  /// cancelled, also where they look at many rows and yield none. One that writes takes the
  /// transaction with it.
  package func heedingCancellation<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let pointer = handle.pointer else { return try body() }
    sqlite3_progress_handler(pointer, 20_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { sqlite3_progress_handler(pointer, 0, nil, nil) }
    return try body()
  }

  /// The same for work that a task waits for while another thread does it: asks the closure.
  package func heeding<Result>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let pointer = handle.pointer else { return try body() }
    let question = CancellationQuestion(isCancelled: isCancelled)
    sqlite3_progress_handler(
      pointer, 20_000,
      { context in
        guard let context else { return 0 }
        let question = Unmanaged<CancellationQuestion>.fromOpaque(context).takeUnretainedValue()
        return question.isCancelled() ? 1 : 0
      }, Unmanaged.passUnretained(question).toOpaque())
    defer { withExtendedLifetime(question) { sqlite3_progress_handler(pointer, 0, nil, nil) } }
    return try body()
  }
}

/// What a running statement asks every so often.
private final class CancellationQuestion {
  let isCancelled: () -> Bool

  init(isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}

extension ConnectionHandle {
  /// Lets SQLite ask about everything that a statement does when it is compiled. It is left in
  /// place: taking it away or putting it in place makes SQLite compile every statement anew.
  func installGuard() {
    hasGuard = true
    sqlite3_set_authorizer(
      pointer,
      { context, action, first, second, _, trigger in
        guard let context else { return SQLITE_OK }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        if action == SQLITE_READ, let first, handle.reads != nil {
          handle.reads?.insert(
            SQLiteRead(
              table: String(cString: first), column: second.map { String(cString: $0) } ?? ""))
          // What the table is read for: a view, or a name of the statement's own.
          if let trigger {
            handle.reads?.insert(SQLiteRead(table: String(cString: trigger), column: ""))
          }
        }
        guard let guarded = handle.guarded, trigger == nil else { return SQLITE_OK }
        if action == SQLITE_PRAGMA, handle.isAskedByModule(first, value: second) {
          return SQLITE_OK
        }
        handle.hasGuardedAction = true
        return ConnectionHandle.isRefused(action, first, second, guarded)
          ? SQLITE_DENY : SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func isRefused(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ tables: [String]
  ) -> Bool {
    let table: UnsafePointer<CChar>?
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH, SQLITE_PRAGMA:
      return true
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE: table = first
    case SQLITE_ALTER_TABLE, SQLITE_CREATE_TRIGGER, SQLITE_DROP_TRIGGER, SQLITE_CREATE_INDEX,
      SQLITE_DROP_INDEX:
      table = second
    default: return false
    }
    guard let table else { return false }
    return tables.contains { sqlite3_stricmp($0, table) == 0 }
  }

  /// Whether one of SQLite's modules asks for a setting, while a statement that uses its table is
  /// compiled: FTS5 for the first, FTS3 and FTS4 for the second. A PRAGMA of the user's is the first
  /// thing that its own statement does.
  private func isAskedByModule(
    _ name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
  ) -> Bool {
    guard hasGuardedAction, let name, value == nil else { return false }
    return sqlite3_stricmp(name, "data_version") == 0 || sqlite3_stricmp(name, "page_size") == 0
  }
}
