public import CMagicSQLite

/// When a transaction takes the write lock.
public enum SQLiteTransactionMode: String, Sendable {
  /// With its first write; for transactions that only read.
  case deferred = "BEGIN DEFERRED"
  /// At once, so that it never has to give up half-way because another connection wrote.
  case immediate = "BEGIN IMMEDIATE"
}

extension SQLiteConnection {
  /// Whether a transaction is open.
  ///
  /// SQLite ends a transaction by itself after some errors, so this is asked after every one.
  @inlinable
  public var isInTransaction: Bool {
    handle.pointer.map { sqlite3_get_autocommit($0) == 0 && !handle.isDoomed } ?? false
  }

  /// Whether rows written in this transaction refer to rows that are not there, which fails its
  /// commit.
  package var hasViolations: Bool {
    guard let pointer = handle.pointer else { return false }
    var current: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(
      pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return code == SQLITE_OK && current != 0
  }

  /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// The body does not end the transaction with SQL of its own: its COMMIT fails.
  ///
  /// - Throws: what the body throws, or ``SQLiteError``. After a throw nothing of the transaction
  ///   is stored and the connection is ready for the next one.
  public func transaction<Result>(
    _ mode: SQLiteTransactionMode = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    guard !isInTransaction else {
      throw SQLiteError.misuse("a transaction is open; use a savepoint inside it")
    }
    try begin(mode)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs the body in a savepoint, alone or inside a transaction or another savepoint.
  ///
  /// - Throws: what the body throws, or ``SQLiteError``. After a throw nothing of the savepoint is
  ///   stored, and what was written before it still stands.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let isOutermost = !handle.refusesCommits && !isInTransaction
    savepointDepth += 1
    let name = "magic_\(savepointDepth)"
    defer {
      savepointDepth -= 1
      if isOutermost { handle.refusesCommits = false }
    }
    try endDoomed()
    try cachedStatement("SAVEPOINT \(name)").run()
    if isOutermost { beginRefusingCommits() }
    do {
      let result = try body()
      try requireTransaction()
      if isOutermost { handle.refusesCommits = false }
      try cachedStatement("RELEASE \(name)").run()
      return result
    } catch {
      if isOutermost { handle.refusesCommits = false }
      if isInTransaction, !handle.isForked {
        do {
          try cachedStatement("ROLLBACK TO \(name)").run()
          try cachedStatement("RELEASE \(name)").run()
        } catch {
          // What cannot be taken back alone is taken back with all around it. A body around it that
          // passes over the error stores nothing on its own.
          handle.rollbackCause = handle.rollbackCause ?? error
          rollBack()
          handle.refusesCommits = !isOutermost
        }
      }
      throw error
    }
  }

  /// Runs reads on one snapshot: inside the transaction that is open, else in one of their own.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    return try transaction(.deferred, body)
  }

  package func begin(_ mode: SQLiteTransactionMode) throws(SQLiteError) {
    try endDoomed()
    // Compiled while there is memory for it.
    _ = try control(.rollBack)
    try control(mode == .deferred ? .beginDeferred : .beginImmediate).run()
    beginRefusingCommits()
  }

  private func beginRefusingCommits() {
    handle.refusesCommits = true
    handle.rollbackCause = nil
  }

  /// Commits. When it throws, the transaction may still be open; ``rollBack()`` ends it.
  package func commit() throws(SQLiteError) {
    try requireTransaction()
    handle.refusesCommits = false
    defer { handle.refusesCommits = isInTransaction }
    try control(.commit).run()
  }

  /// Statements that every read or write of several steps needs, found by position.
  enum Control: Int, CaseIterable {
    case beginDeferred, beginImmediate, commit, rollBack

    fileprivate var sql: String {
      switch self {
      case .beginDeferred: SQLiteTransactionMode.deferred.rawValue
      case .beginImmediate: SQLiteTransactionMode.immediate.rawValue
      case .commit: "COMMIT"
      case .rollBack: "ROLLBACK"
      }
    }
  }

  private func control(_ control: Control) throws(SQLiteError) -> SQLiteStatement {
    _ = try pointer()
    if let known = controls[control.rawValue] { return known }
    let statement = try prepare(control.sql, isPersistent: true)
    controls[control.rawValue] = statement
    return statement
  }

  /// Ends a transaction without storing it, where one is open.
  package func rollBack() {
    handle.refusesCommits = false
    guard isInTransaction, !handle.isForked else { return }
    // It fails when SQLite has rolled back by itself, and where there is no memory to compile it anew,
    // which a change of the schema asks for. An interrupt that was meant for what ran before is over
    // when it is tried again.
    for _ in 0..<3 where isInTransaction {
      try? control(.rollBack).run()
    }
    handle.isDoomed = isInTransaction
  }

  /// Rolls back what could not be rolled back before.
  private func endDoomed() throws(SQLiteError) {
    guard handle.isDoomed else { return }
    if let pointer = handle.pointer, sqlite3_get_autocommit(pointer) == 0 {
      try control(.rollBack).run()
    }
    handle.isDoomed = false
  }

  /// Ends reads that are under way, so that nothing of the connection keeps a snapshot.
  package func endReads() {
    guard let pointer = handle.pointer, !handle.isForked else { return }
    var statement = sqlite3_next_stmt(pointer, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { sqlite3_reset(current) }
      statement = sqlite3_next_stmt(pointer, current)
    }
    rollBack()
  }

  /// The error that has ended the open transaction; nil while it is open, and where SQL ended it.
  package var rollbackCause: SQLiteError? { isInTransaction ? nil : handle.rollbackCause }

  /// An error inside the body may have ended the transaction, and the body passed over it.
  private func requireTransaction() throws(SQLiteError) {
    guard !isInTransaction else { return }
    throw handle.rollbackCause
      ?? SQLiteError(
        extendedCode: SQLITE_ABORT | 2 << 8,
        message: "an earlier error has rolled the transaction back")
  }
}
