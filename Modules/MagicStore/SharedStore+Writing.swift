import Dispatch
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// Runs the body in a transaction, committed when the call returns. After a throw nothing of it
  /// is stored, and the objects are as they were. Blocks the thread while others write, and while
  /// it waits for the disk.
  @available(*, noasync, message: "suspend instead of blocking: use writing")
  package func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try write(timeout: busyTimeout, body)
  }

  /// - Parameters:
  ///   - timeout: how long to block while another process has the file locked, in seconds.
  ///   - isLarge: whether what SQLite sorts meanwhile may be larger than memory.
  @available(*, noasync)
  func write<Result>(
    timeout: Double, isLarge: Bool = false, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let pool = try reachableWriter()
    try refuseNested()
    return try mapping {
      try pool.withConnectionBlocking { writer in
        guard isLarge else { return try write(with: writer, timeout, body) }
        // Temporary tables and triggers go, now and afterwards.
        writer.hook?.willDropTemporaryTables()
        defer { writer.hook?.willDropTemporaryTables() }
        return try writer.connection.sortingInFiles { try write(with: writer, timeout, body) }
      }
    }
  }

  private func write<Result>(
    with writer: StoreConnection, _ timeout: Double, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let batch = CommitBatch(writer: writer) { connection in
      try self.begin(on: connection, timeout: timeout)
    }
    defer { freeLogSpace(after: batch) }
    let (result, transaction) = try batch.run { transaction in
      try owning { try body(transaction) }
    }
    batch.add(transaction) { _ in }
    let ending = batch.commit()
    if case .failed(let error) = ending.outcome {
      noteDamage(error)
      throw error
    }
    didCommit(on: writer)
    writer.files.remove(ending.unused, on: writer.connection)
    keepLogSmall(on: writer, mayWait: true)
    return result
  }

  /// Runs the body in a transaction, committed when the call returns. Writes that come together share
  /// a commit. While another process has the file locked the call pauses, and where a commit waits
  /// long for the disk, no thread of the cooperative pool does.
  ///
  /// - Parameter isRepeatable: whether the body may run again, where an error of another write made
  ///   SQLite roll back what it had done. One that may not has its commit to itself; so nobody waits
  ///   for a long one who came before it.
  package func writing<Result: Sendable>(
    isRepeatable: Bool = true, _ body: @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try lifecycle.check()
    var patience = Patience(seconds: busyTimeout)
    while true {
      let batch: CommitBatch
      switch await commits.enter(isExclusive: !isRepeatable) {
      case .leader:
        batch = try await lead(&patience)
        if isRepeatable { commits.open(batch) }
      case .member(let open): batch = open
      case .cancelled: throw CancellationError()
      case .suspended: throw MagicError.suspended()
      }
      do {
        // The commit is not waited for on the gate, where another body may run by then.
        let (result, commit) = try await gate.run { _ in
          try self.run(body, in: batch, isAlone: !isRepeatable)
        }
        switch await commit.outcome {
        case .committed: return result
        case .failed(let error): throw error
        case .lost: continue
        }
      } catch let required as MigrationRequired where isRepeatable {
        _ = try await migrating([required.schema])
      } catch let locked as LockedDatabase {
        // The transaction of the batch was rolled back with a write before this one, and meanwhile
        // another process was faster.
        guard try await patience.pause() else { throw locked.error }
      }
    }
  }

  /// Runs a write in a batch, on the gate. The last of a batch commits it.
  private func run<Result>(
    _ body: (WriteTransaction) throws -> Result, in batch: CommitBatch, isAlone: Bool
  ) throws -> (Result, PendingCommit) {
    defer { if isAlone || commits.didRun(in: batch) { end(batch) } }
    try Task.checkCancellation()
    let (result, transaction) = try batch.run { transaction in
      transaction.leavesMigrations = !isAlone
      return try owning { try body(transaction) }
    }
    let commit = PendingCommit()
    batch.add(transaction) { commit.end($0) }
    return (result, commit)
  }

  /// Gets the writer and begins a transaction.
  private func lead(_ patience: inout Patience) async throws -> CommitBatch {
    do {
      try Task.checkCancellation()
      let pool = try reachableWriter()
      let free = try mapping { try pool.tryTake() }
      let writer: StoreConnection
      if let free {
        writer = free
      } else {
        writer = try await mappingAsync { try await pool.take() }
      }
      do {
        let batch = CommitBatch(writer: writer) { connection in
          try self.beginAtOnce(on: connection)
        }
        try await begin(batch, &patience)
        return batch
      } catch {
        let error = lifecycle.explained(error)
        pool.give(writer)
        throw error
      }
    } catch {
      commits.leave()
      throw error
    }
  }

  private func begin(_ batch: CommitBatch, _ patience: inout Patience) async throws {
    while true {
      do {
        return try batch.begin()
      } catch let locked as LockedDatabase {
        guard try await patience.pause() else { throw locked.error }
      }
    }
  }

  /// - Throws: ``LockedDatabase`` where another process has the file locked.
  private func beginAtOnce(on connection: SQLiteConnection) throws {
    try lifecycle.check()
    do {
      try mapping { try begin(on: connection, timeout: 0) }
    } catch let error as MagicError where error.code == .busy {
      throw LockedDatabase(error: error)
    }
  }

  /// Commits a batch that nobody joins any more; then the next in line leads.
  private func end(_ batch: CommitBatch) {
    let mayStay =
      batch.isEmpty || commitsInPlace && !files.waitsForDisk(withNew: batch.hasFiles)
    guard !mayStay || batch.hasFilledDisk else { return endHere(batch, mayWait: false) }
    commitThread.async { self.endHere(batch, mayWait: true) }
  }

  private func endHere(_ batch: CommitBatch, mayWait: Bool) {
    guard !batch.isEmpty else {
      // It was begun, and nothing is left of what was to be in it.
      batch.rollBack()
      freeLogSpace(after: batch)
      return leave(batch)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let ending = batch.commit()
    noteCommitTime(DispatchTime.now().uptimeNanoseconds - start)
    guard mayWait || ending.unused.count <= Self.mostRemovedInPlace else {
      return commitThread.async { self.finish(ending, of: batch, mayWait: true) }
    }
    finish(ending, of: batch, mayWait: mayWait)
  }

  /// So many files are removed in less time than a change of threads takes.
  private static let mostRemovedInPlace = 4

  private func finish(_ ending: CommitBatch.Ending, of batch: CommitBatch, mayWait: Bool) {
    switch ending.outcome {
    case .committed: didCommit(on: batch.writer)
    case .failed(let error): noteDamage(error)
    case .lost: break
    }
    batch.writer.files.remove(ending.unused, on: batch.writer.connection)
    // They need not wait for a checkpoint.
    for member in ending.members { member.finish(ending.outcome) }
    keepLogSmall(on: batch.writer, mayWait: mayWait)
    freeLogSpace(after: batch)
    leave(batch)
  }

  /// Gives the writer back, and lets the next in line lead.
  private func leave(_ batch: CommitBatch) {
    writer?.give(batch.writer)
    commits.leave()
  }
}

/// Another process has the file locked, and nothing was begun.
private struct LockedDatabase: Error {
  /// What to throw when no time is left.
  let error: MagicError
}
