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
  /// - Parameter check: must not retain the connection, which may cache the statement.
  package func checkAfterRecompilation(
    _ check: @escaping (SQLiteStatement) throws(SQLiteError) -> Void
  ) {
    recompilationCheck = RecompilationCheck(recompilationCount, check)
  }

  /// - Parameter code: the result of the step.
  @usableFromInline
  func checkRecompilation(_ code: Int32) throws(SQLiteError) {
    guard let recompilationCheck, code == SQLITE_ROW || code == SQLITE_DONE else { return }
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
