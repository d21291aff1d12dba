import CMagicSQLite

/// The check of a statement that SQLite compiles again by itself, after a change of the schema.
@usableFromInline
final class RecompilationCheck {
  /// How often SQLite had compiled the statement again when it was checked last.
  @exclusivity(unchecked) fileprivate var count: Int32
  fileprivate let check: (SQLiteStatement) throws(SQLiteError) -> Void

  fileprivate init(
    _ count: Int32, _ check: @escaping (SQLiteStatement) throws(SQLiteError) -> Void
  ) {
    self.count = count
    self.check = check
  }
}

extension SQLiteStatement {
  /// Calls a body after the first step in which SQLite has compiled the statement again. An error of
  /// the body is the error of the step, and the body is called again in the next run.
  ///
  /// For a statement that writes, the body is called before each run instead, because the step makes
  /// all changes.
  ///
  /// - Parameter check: must not retain the connection, which may cache the statement.
  package func checkAfterRecompilation(
    _ check: @escaping (SQLiteStatement) throws(SQLiteError) -> Void
  ) {
    recompilationCheck = RecompilationCheck(recompilationCount, check)
  }

  @usableFromInline
  func checkedStep() throws(SQLiteError) -> Bool {
    let writes = sqlite3_stmt_readonly(pointer) == 0
    if writes, sqlite3_stmt_busy(pointer) == 0 { try recompilationCheck?.check(self) }
    let code = sqlite3_step(pointer)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
    if !writes { try checkRecompilation() }
    return code == SQLITE_ROW
  }

  private func checkRecompilation() throws(SQLiteError) {
    guard let recompilationCheck else { return }
    let count = recompilationCount
    guard count != recompilationCheck.count else { return }
    do {
      try recompilationCheck.check(self)
    } catch {
      reset()
      throw error
    }
    recompilationCheck.count = count
  }

  private var recompilationCount: Int32 {
    sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
  }
}
