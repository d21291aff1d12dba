import CMagicRuntime
import CMagicSQLite

/// Holding the snapshot of a reader between reads.
///
/// Beginning a snapshot and ending it takes system calls, and finding out that nothing was committed
/// since the last one takes seven loads from shared memory. A reader therefore keeps its read
/// transaction open, and compares the header of the log's index with the one that it has noted
/// before the snapshot was taken. Every commit changes the header before it is acknowledged, so a
/// read never misses one.
///
/// A held snapshot is not visible to callers: ``isInTransaction`` is false. A statement
/// that needs another transaction, or none, ends it first.
extension SQLiteConnection {
  /// Makes the connection hold snapshots, if its database has a write-ahead log that processes
  /// share. ``prepareRead(in:)`` must then be called before every read, with no statement running.
  ///
  /// - Parameter maximumPause: the longest time between two reads that make the connection hold a
  ///   snapshot, in nanoseconds; 0 if it never holds one. Holding one costs more than it saves if
  ///   reads are rare.
  package func holdSnapshots(maximumPause: UInt64 = 1_000_000) {
    guard configuration.access != .immutable, connectionFiles != nil else { return }
    held = HeldSnapshot(maximumPause: maximumPause)
  }

  /// Whether the connection holds a snapshot. Any thread may read it.
  package var holdsSnapshot: Bool { handle.holdsSnapshot }

  /// Whether the connection, which no caller uses, holds a snapshot of another turn.
  package func holdsSnapshot(exceptIn turn: UInt32?) -> Bool {
    handle.holdsSnapshot && (turn == nil || held?.turn != turn)
  }

  /// Whether the next read reads the last commit: no snapshot is held, or the held one contains it.
  /// Called with no statement running and outside a transaction.
  package var readsLastCommit: Bool {
    guard handle.isTransactionHidden, let held else { return true }
    return held.address.map(held.isCurrent) ?? false
  }

  /// Called before a read: ends a held snapshot that is not current, and may begin a new one.
  ///
  /// - Parameter turn: the current turn; a snapshot is not held into the next one. Nil if no
  ///   snapshot may be held.
  /// - Returns: whether a new snapshot is held.
  /// - Throws: ``SQLiteError`` if a snapshot that is not current cannot be ended.
  package func prepareRead(in turn: UInt32?) throws(SQLiteError) -> Bool {
    guard let held else { return false }
    if handle.isTransactionHidden, let turn, held.turn == turn, let address = held.address,
      held.isCurrent(address)
    {
      return false
    }
    return try renewSnapshot(held, turn)
  }

  @inline(never)
  private func renewSnapshot(_ held: HeldSnapshot, _ turn: UInt32?) throws(SQLiteError) -> Bool {
    try rollBackPending()
    try endHeldSnapshot()
    guard let turn, let address = findIndex(held) else { return false }
    // The state is noted by one read, and the snapshot is taken by the next one if the state is the
    // same. Reads that alternate with commits therefore run no additional statement.
    let now = magic_monotonic_time()
    guard held.mayBegin(address, at: now) else {
      held.note(address, at: now)
      return false
    }
    do {
      // Compiles the statements that end the transaction while there is memory for them.
      _ = try control(.commit)
      _ = try control(.rollBack)
      try runUntraced(.beginDeferred)
    } catch {
      return false
    }
    held.turn = turn
    handle.isTransactionHidden = true
    handle.holdsSnapshot = true
    return true
  }

  private func findIndex(_ held: HeldSnapshot) -> UnsafeRawPointer? {
    switch held.index {
    case .unused:
      held.index = .unknown
    case .unknown:
      // After an error it stays unknown.
      guard let mode = untraced({ try? text("PRAGMA journal_mode") }) else { return nil }
      held.address = mode == "wal" ? walIndexAddress : nil
      held.index = held.address.map { .found($0) } ?? .absent
    case .absent, .found:
      break
    }
    return held.address
  }

  /// Whether a snapshot is held that no caller uses, and SQLite has not ended it after an error.
  var hasHiddenTransaction: Bool {
    guard handle.isTransactionHidden, let pointer = handle.pointer else { return false }
    return sqlite3_get_autocommit(pointer) == 0
  }

  /// Runs reads on the held snapshot, as in a transaction.
  func onHeldSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    handle.isTransactionHidden = false
    beginRefusingCommits()
    do {
      let result = try body()
      try requireTransaction()
      handle.refusesCommits = false
      handle.isTransactionHidden = true
      return result
    } catch {
      rollBack()
      // If the rollback failed, the snapshot stays until the next attempt.
      handle.holdsSnapshot = handle.isRollbackPending
      throw error
    }
  }

  /// Ends a held snapshot that no caller uses.
  func endHeldSnapshot() throws(SQLiteError) {
    guard handle.isTransactionHidden, !handle.isForked else { return }
    if hasHiddenTransaction {
      // Nothing was written except in temporary tables, and a commit is faster than a rollback.
      do {
        try runUntraced(.commit)
      } catch {
        try? runUntraced(.rollBack)
        guard !hasHiddenTransaction else { throw error }
      }
    }
    handle.isTransactionHidden = false
    handle.holdsSnapshot = false
  }

  /// Ends a held snapshot. If that fails, the next read tries again.
  package func discardHeldSnapshot() {
    guard handle.holdsSnapshot else { return }
    if handle.isRollbackPending {
      try? rollBackPending()
      handle.holdsSnapshot = handle.isRollbackPending
    }
    try? endHeldSnapshot()
    held?.forget()
  }

  private func runUntraced(_ control: Control) throws(SQLiteError) {
    try untraced { () throws(SQLiteError) in try self.control(control).run() }
  }

  /// Runs statements that are not traced: when they run says nothing about the calls of a user.
  private func untraced<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    handle.tracer?.isSilent = true
    defer { handle.tracer?.isSilent = false }
    return try body()
  }
}
