package import MagicEngine
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

// The steps of a write: it joins a batch of writes, its body runs in the batch's transaction, the
// batch is committed (SharedStore+Committing), and the write gets the outcome.
extension SharedStore {
  /// Runs the body in a transaction, which is committed when the call returns. Concurrent writes
  /// share a commit. While another process has the file locked, the call suspends. If a commit
  /// waits long for the disk, no thread of the cooperative pool is blocked.
  ///
  /// - Parameter isRepeatable: whether the body may run again after an error of another write has
  ///   made SQLite roll back its changes. A write that may not run again has a separate commit, so
  ///   that no write waits for a long one that was called later.
  package func writing<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result {
    willWrite()
    defer { didWrite() }
    var backoff = BusyBackoff(seconds: busyTimeout)
    while true {
      let batch: CommitBatch
      switch await commits.enter(isExclusive: !isRepeatable) {
      case .leader:
        batch = try await beginBatch(&backoff)
        if isRepeatable { commits.open(batch) }
      case .member(let open): batch = open
      case .cancelled: throw CancellationError()
      case .suspended: throw MagicError.suspended()
      }
      do {
        // The executor does not wait for the commit, so that it can run another body.
        let (result, commit) = try await executor.run { _ in
          try self.run(body, in: batch, isAlone: !isRepeatable)
        }
        switch await commit.outcome {
        case .committed: return result
        case .failed(let error): throw error
        case .lost: continue
        }
      } catch let required as MigrationRequired where isRepeatable {
        try await migrate(required.schema)
      } catch let locked as LockedDatabase {
        // The transaction of the batch was rolled back because of an earlier write, and another
        // process has locked the file meanwhile.
        guard try await backoff.pause() else { throw locked.error }
      }
    }
  }

  /// Takes the writer, and creates a batch whose transaction is open.
  private func beginBatch(_ backoff: inout BusyBackoff) async throws -> CommitBatch {
    do {
      try Task.checkCancellation()
      let pool = try requireWriter()
      let free = try translatingErrors { try pool.tryTake() }
      let writer: StoreConnection
      if let free {
        writer = free
      } else {
        writer = try await translatingErrorsAsync { try await pool.take() }
      }
      do {
        let batch = CommitBatch(writer: writer) { try self.openTransactionWithoutWaiting(on: $0) }
        while true {
          do {
            try batch.beginIfNeeded()
            return batch
          } catch let locked as LockedDatabase {
            guard try await backoff.pause() else { throw locked.error }
          }
        }
      } catch {
        let error = lifecycle.replacingInterrupt(error)
        pool.give(writer)
        throw error
      }
    } catch {
      commits.wakeNext()
      throw error
    }
  }

  /// Runs a write in a batch, on the executor. The last write of a batch commits it.
  private func run<Result>(
    _ body: (any EngineTransaction) throws -> Result, in batch: CommitBatch, isAlone: Bool
  ) throws -> (Result, PendingCommit) {
    var hasFailed = true
    defer { if isAlone || commits.didRun(in: batch, hasFailed: hasFailed) { commit(batch) } }
    try Task.checkCancellation()
    let (result, transaction) = try batch.run { transaction in
      transaction.defersMigrations = !isAlone
      return try withReentrancyGuard { try body(transaction) }
    }
    hasFailed = false
    let commit = PendingCommit()
    batch.add(transaction) { commit.resolve($0) }
    return (result, commit)
  }

  /// - Throws: ``LockedDatabase`` if another process has the file locked.
  private func openTransactionWithoutWaiting(on connection: SQLiteConnection) throws {
    try lifecycle.checkNotSuspended()
    do {
      try translatingErrors { try openTransaction(on: connection, timeout: 0) }
    } catch let error as MagicError where error.code == .busy {
      throw LockedDatabase(error: error)
    }
  }

  /// Checks that the file may be written, and begins a transaction.
  ///
  /// - Parameter timeout: how long to block while another process has the file locked, in seconds.
  func openTransaction(on connection: SQLiteConnection, timeout: Double) throws {
    guard !connection.isFileMoved else { throw MagicError.fileMoved() }
    try lifecycle.checkWritable()
    let wanted = SQLiteConfiguration.Durability(durability)
    if let applied = connection.durability, applied != wanted {
      try connection.setDurability(wanted)
    }
    connection.setBusyTimeout(timeout)
    try connection.begin(.immediate)
    guard !connection.isLogMoved else {
      connection.rollBack()
      throw MagicError.fileMoved()
    }
  }
}

// MARK: Blocking

extension SharedStore {
  /// Runs the body in a transaction, which is committed when the call returns. After an error
  /// it has stored nothing, and the objects have their earlier values again. Blocks the thread
  /// while other writes run, and while it waits for the disk.
  @available(*, noasync)
  package func writeBlocking<Result>(
    _ body: (any EngineTransaction) throws -> Result
  ) throws -> Result {
    try write(timeout: busyTimeout) { try body($0) }
  }

  /// - Parameters:
  ///   - timeout: how long to block while another process has the file locked, in seconds.
  ///   - isLarge: whether SQLite may have to sort more data than fits into memory.
  @available(*, noasync)
  func write<Result>(
    timeout: Double, isLarge: Bool = false, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let pool = try requireWriter()
    try checkNotReentrant()
    return try translatingErrors {
      try pool.withConnectionBlocking { writer in
        guard isLarge else { return try write(with: writer, timeout, body) }
        // SQLite deletes temporary tables and triggers before and after the body.
        writer.hook?.willDropTemporaryTables()
        defer { writer.hook?.willDropTemporaryTables() }
        return try writer.connection.sortingInFiles { try write(with: writer, timeout, body) }
      }
    }
  }

  private func write<Result>(
    with writer: StoreConnection, _ timeout: Double, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let batch = CommitBatch(writer: writer) {
      try self.openTransaction(on: $0, timeout: timeout)
    }
    let result: Result
    do {
      let transaction: WriteTransaction
      (result, transaction) = try batch.run { transaction in
        try withReentrancyGuard { try body(transaction) }
      }
      batch.add(transaction) { _ in }
    } catch {
      freeLogSpace(after: batch)
      throw error
    }
    let ended = batch.commit()
    finish(ended, of: batch, mayWait: true)
    if case .failed(let error) = ended.outcome { throw error }
    return result
  }
}

/// Another process has the file locked, and no transaction was begun.
private struct LockedDatabase: Error {
  /// The error to throw when no time is left.
  let error: MagicError
}
