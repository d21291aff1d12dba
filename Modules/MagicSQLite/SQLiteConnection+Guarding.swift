import CMagicSQLite

/// SQL that the user of the library has written.
extension SQLiteConnection {
  /// The same as ``cachedStatement(_:)``, with a separate cache, for SQL of the user.
  ///
  /// The SQL must not begin or end a transaction, attach a database, change settings, or write
  /// directly to the given tables. Triggers may write to them.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/Code/unauthorized`` for SQL that does one of
  ///   these.
  package func cachedStatement(
    _ sql: String, guarding tables: [String]
  ) throws(SQLiteError) -> SQLiteStatement {
    beginGuarding(tables)
    defer { handle.guardedTables = nil }
    return try cachedStatement(sql, in: &guardedStatements)
  }

  /// The same as ``prepare(_:)`` for SQL of the user, with the same restrictions.
  package func prepare(
    _ sql: String, guarding tables: [String]
  ) throws(SQLiteError) -> SQLiteStatement {
    beginGuarding(tables)
    defer { handle.guardedTables = nil }
    return try prepare(sql)
  }

  private func beginGuarding(_ tables: [String]) {
    if !handle.hasGuard { handle.installGuard() }
    handle.guardedTables = tables
    handle.hasGuardedAction = false
  }

  /// Runs a body whose statements fail with ``SQLiteError/Code/interrupted`` soon after the task is
  /// cancelled, even if they scan many rows and return none. SQLite rolls back the transaction of
  /// an interrupted statement that writes.
  package func withCancellationCheck<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let pointer = handle.pointer else { return try body() }
    sqlite3_progress_handler(pointer, 20_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    defer { sqlite3_progress_handler(pointer, 0, nil, nil) }
    return try body()
  }

  /// The same for a body that does not run on the thread of the task that waits for it.
  ///
  /// - Parameters:
  ///   - isCancelled: returns whether the body is cancelled.
  ///   - steps: the number of steps of SQLite after which the closure is called again.
  package func withCancellationCheck<Result>(
    _ isCancelled: @escaping () -> Bool, every steps: Int32 = 20_000, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let pointer = handle.pointer else { return try body() }
    let callback = CancellationCallback(isCancelled: isCancelled)
    sqlite3_progress_handler(
      pointer, steps,
      { context in
        guard let context else { return 0 }
        let callback = Unmanaged<CancellationCallback>.fromOpaque(context).takeUnretainedValue()
        return callback.isCancelled() ? 1 : 0
      }, Unmanaged.passUnretained(callback).toOpaque())
    defer { withExtendedLifetime(callback) { sqlite3_progress_handler(pointer, 0, nil, nil) } }
    return try body()
  }
}

/// Keeps the closure that SQLite's progress handler calls.
private final class CancellationCallback {
  let isCancelled: () -> Bool

  init(isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}

extension ConnectionHandle {
  /// Installs the authorizer, which SQLite calls for each action of a statement when it compiles
  /// the statement. The authorizer stays installed: removing or installing it makes SQLite
  /// recompile every statement.
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
          // Here the last argument names the cause of the read: a view, or a name that the
          // statement defines.
          if let trigger {
            handle.reads?.insert(SQLiteRead(table: String(cString: trigger), column: ""))
          }
        }
        guard let guardedTables = handle.guardedTables, trigger == nil else { return SQLITE_OK }
        if action == SQLITE_PRAGMA, handle.isPragmaOfModule(first, value: second) {
          return SQLITE_OK
        }
        handle.hasGuardedAction = true
        return ConnectionHandle.isDenied(action, first, second, guardedTables)
          ? SQLITE_DENY : SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func isDenied(
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
    if sqlite3_strnicmp(table, searchTables, Int32(searchTables.utf8.count)) == 0 { return true }
    return tables.contains { sqlite3_stricmp($0, table) == 0 }
  }

  /// The beginning of the names of the tables of search indexes, to which only triggers write.
  private static let searchTables = "magic_search("

  /// Whether an SQLite module reads a setting while a statement that uses its table is compiled:
  /// FTS5 reads `data_version`, FTS3 and FTS4 read `page_size`. A PRAGMA of the user is the first
  /// action of its own statement.
  private func isPragmaOfModule(
    _ name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
  ) -> Bool {
    guard hasGuardedAction, let name, value == nil else { return false }
    return sqlite3_stricmp(name, "data_version") == 0 || sqlite3_stricmp(name, "page_size") == 0
  }
}
