public import CMagicSQLite

/// When a transaction takes the write lock.
public enum SQLiteTransactionMode: String, Sendable {
  /// With its first write. For transactions that only read.
  case deferred = "BEGIN DEFERRED"
  /// When it begins, so that it never fails later because another connection has written.
  case immediate = "BEGIN IMMEDIATE"
}

extension SQLiteConnection {
  /// Whether a transaction is open.
  ///
  /// SQLite rolls back the transaction after some errors, so this property is read after every
  /// error.
  @inlinable
  public var isInTransaction: Bool {
    handle.pointer.map {
      sqlite3_get_autocommit($0) == 0 && !handle.isRollbackPending && !handle.isTransactionHidden
    } ?? false
  }

  /// Whether rows that this transaction has written refer to rows that do not exist. The commit
  /// then fails.
  package var hasViolations: Bool {
    guard let pointer = handle.pointer else { return false }
    var current: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(
      pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return code == SQLITE_OK && current != 0
  }

  /// Runs the body in a transaction, which is committed when the body returns and rolled back when
  /// it throws.
  ///
  /// The body must not end the transaction with SQL; a COMMIT fails.
  ///
  /// - Throws: what the body throws, or ``SQLiteError``. After an error no part of the
  ///   transaction is stored, and the connection is ready for the next one.
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
  /// - Throws: what the body throws, or ``SQLiteError``. After an error no part of the savepoint
  ///   is stored, and earlier writes of the transaction are kept.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let isOutermost = !handle.refusesCommits && !isInTransaction
    savepointDepth += 1
    let name = "magic_\(savepointDepth)"
    defer {
      savepointDepth -= 1
      if isOutermost { handle.refusesCommits = false }
    }
    try rollBackPending()
    try endHeldSnapshot()
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
          // If the savepoint cannot be rolled back, the transaction around it is rolled back. An
          // enclosing body that ignores the error stores nothing outside a transaction.
          handle.rollbackCause = handle.rollbackCause ?? error
          rollBack()
          handle.refusesCommits = !isOutermost
        }
      }
      throw error
    }
  }

  /// Runs reads on one snapshot: inside the open transaction, on the held snapshot, or else in a new
  /// transaction.
  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    if hasHiddenTransaction { return try onHeldSnapshot(body) }
    return try transaction(.deferred, body)
  }

  /// Begins a transaction. A held snapshot is ended first, so that a snapshot of a caller begins
  /// with its first read.
  package func begin(_ mode: SQLiteTransactionMode) throws(SQLiteError) {
    try rollBackPending()
    try endHeldSnapshot()
    // A snapshot that was held for a transaction would only cost the time to end it.
    held?.forget()
    // Compiles ROLLBACK while there is memory for it.
    _ = try control(.rollBack)
    try control(mode == .deferred ? .beginDeferred : .beginImmediate).run()
    beginRefusingCommits()
  }

  func beginRefusingCommits() {
    handle.refusesCommits = true
    handle.rollbackCause = nil
  }

  /// Commits the transaction. After an error the transaction may still be open; ``rollBack()`` ends
  /// it.
  package func commit() throws(SQLiteError) {
    try requireTransaction()
    handle.refusesCommits = false
    defer { handle.refusesCommits = isInTransaction }
    try control(.commit).run()
  }

  /// The statements that control transactions. They are found by index, because every read or write
  /// of several steps uses them.
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

  func control(_ control: Control) throws(SQLiteError) -> SQLiteStatement {
    _ = try pointer()
    if let cached = controls[control.rawValue] { return cached }
    let statement = try prepare(control.sql, isPersistent: true)
    controls[control.rawValue] = statement
    return statement
  }

  /// Rolls back the open transaction, if there is one.
  package func rollBack() {
    handle.refusesCommits = false
    guard isInTransaction, !handle.isForked else { return }
    // ROLLBACK fails if SQLite has already rolled back, and if there is no memory to recompile it,
    // which SQLite does after a schema change. An interrupt that was meant for an earlier statement
    // has no effect on the next attempt.
    for _ in 0..<3 where isInTransaction {
      try? control(.rollBack).run()
    }
    handle.isRollbackPending = isInTransaction
  }

  /// Rolls back a transaction for which an earlier ROLLBACK failed.
  func rollBackPending() throws(SQLiteError) {
    guard handle.isRollbackPending else { return }
    if let pointer = handle.pointer, sqlite3_get_autocommit(pointer) == 0 {
      try control(.rollBack).run()
    }
    handle.isRollbackPending = false
  }

  /// Ends running reads, so that no statement of the connection keeps a snapshot.
  package func endReads() {
    guard let pointer = handle.pointer, !handle.isForked else { return }
    var statement = sqlite3_next_stmt(pointer, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { sqlite3_reset(current) }
      statement = sqlite3_next_stmt(pointer, current)
    }
    rollBack()
    discardHeldSnapshot()
  }

  /// The error that ended the library's transaction; nil while the transaction is open, and if SQL
  /// ended it.
  package var rollbackCause: SQLiteError? { isInTransaction ? nil : handle.rollbackCause }

  /// Throws if an error inside the body has ended the transaction and the body has ignored that
  /// error.
  func requireTransaction() throws(SQLiteError) {
    guard !isInTransaction else { return }
    throw handle.rollbackCause
      ?? SQLiteError(
        extendedCode: SQLITE_ABORT | 2 << 8,
        message: "an earlier error has rolled the transaction back")
  }
}
