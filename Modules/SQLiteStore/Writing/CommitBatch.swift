import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteSearch
import SQLiteTables

/// Writes that share one commit, in the order of their arrival. Each write is atomic: one that
/// throws does not affect the others.
///
/// Only one thread uses the batch at a time: first the executor, then the thread that commits. Its
/// properties therefore need no dynamic exclusivity checks.
final class CommitBatch: @unchecked Sendable {
  let writer: StoreConnection
  private let openTransaction: (SQLiteConnection) throws -> Void
  /// The writes that wait for the commit.
  @exclusivity(unchecked) private(set) var members: [Member] = []
  /// Whether one of the writes failed because the disk was full.
  @exclusivity(unchecked) private(set) var hasFilledDisk = false

  /// A write that waits for the commit.
  struct Member: @unchecked Sendable {
    let transaction: WriteTransaction
    let report: (Outcome) -> Void
  }

  /// The outcome of a write that has run.
  enum Outcome: Sendable {
    case committed
    case failed(any Error)
    /// An error of another write made SQLite roll back the transaction. The write may run again.
    case lost
  }

  /// - Parameter openTransaction: begins a transaction.
  init(writer: StoreConnection, openTransaction: @escaping (SQLiteConnection) throws -> Void) {
    self.writer = writer
    self.openTransaction = openTransaction
  }

  /// Begins the transaction, unless it is open.
  func beginIfNeeded() throws {
    guard !writer.connection.isInTransaction else { return }
    try openTransaction(writer.connection)
    let version = writer.connection.dataVersion
    writer.hook?.didBegin(version)
    if writer.rowIDs.forgetIfChanged(version) {
      writer.files.noteExternalChanges()
      writer.discardStatementsIfSchemaChanged()
    }
    writer.recordRowsForCache()
  }

  /// Whether no write waits for the commit.
  var isEmpty: Bool { members.isEmpty }

  /// Runs a write, in a savepoint if other writes already wait for the commit.
  ///
  /// - Returns: the result of the body, and the transaction for ``add(_:report:)``.
  /// - Throws: what the body throws. The changes of the body are then rolled back.
  func run<Result>(
    _ body: (WriteTransaction) throws -> Result
  ) throws -> (Result, WriteTransaction) {
    let transaction = WriteTransaction(store: writer)
    do {
      let result = try translatingErrors {
        guard !isEmpty else {
          try beginIfNeeded()
          try writer.hook?.willRun()
          return try complete(transaction, body)
        }
        try writer.hook?.willRun()
        return try writer.connection.savepoint { try complete(transaction, body) }
      }
      return (result, transaction)
    } catch {
      if isEmpty { rollBack() }
      transaction.didRollBack()
      writer.searchIndexes.noteSchemaChange()
      // Row IDs that the body has reserved are free again.
      writer.rowIDs.removeAll()
      if !writer.connection.isInTransaction { abortAll() }
      let cause = (error as? MagicError)?.causeOfRollback ?? error
      recordFullDisk(cause)
      throw writer.lifecycle.replacingInterrupt(cause)
    }
  }

  private func complete<Result>(
    _ transaction: WriteTransaction, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    try writer.lifecycle.checkNotSuspended()
    let result = try body(transaction)
    // Checked again, because the body may have ignored an error of a call.
    try writer.lifecycle.checkNotSuspended()
    try transaction.requireOpen()
    try transaction.prepareCommit()
    if let hook = writer.hook { transaction.recorded = try hook.didRun() }
    return result
  }

  /// Adds a write that has run. It then waits for the commit.
  func add(_ transaction: WriteTransaction, report: @escaping (Outcome) -> Void) {
    members.append(Member(transaction: transaction, report: report))
  }

  /// Whether the commit must sync files.
  var hasFiles: Bool { members.contains { $0.transaction.staged.count > 0 } }

  /// The result of a commit, with the work that is left.
  struct CommitResult: Sendable {
    let members: [Member]
    let outcome: Outcome
    /// The files to delete before the outcome is reported to the writes.
    let unused: [AssetName]
  }

  /// Commits the batch. Afterwards the objects in memory have their stored state, or their earlier
  /// state if the commit failed.
  func commit() -> CommitResult {
    defer { members = [] }
    let unused: [AssetName]
    var isCertain = true
    do {
      unused = try translatingErrors {
        try writer.lifecycle.checkNotForked()
        try writer.searchIndexes.update()
        let staged = members.flatMap(\.transaction.staged.files)
        let unused = try writer.files.prepareCommit(staged, on: writer.connection)
        isCertain = false
        try writer.connection.commit()
        return unused
      }
    } catch {
      let error = writer.lifecycle.replacingInterrupt(error)
      rollBack()
      // If the log has no space for the commit, its frames are incomplete, and recovery cannot
      // apply it.
      isCertain = recordFullDisk(error) || isCertain
      for member in members.reversed() {
        member.transaction.didRollBack(isCertain: isCertain)
      }
      return CommitResult(members: members, outcome: .failed(error), unused: [])
    }
    writer.cache?.didCommit(on: writer.connection)
    writer.files.didCommit(on: writer.connection)
    let version = writer.connection.dataVersion
    writer.rowIDs.didCommit(version)
    writer.hook?.didCommit(version)
    for member in members {
      member.transaction.didCommit()
      writer.hook?.publish(member.transaction.recorded)
    }
    return CommitResult(members: members, outcome: .committed, unused: unused)
  }

  /// - Returns: whether the disk was full.
  @discardableResult
  private func recordFullDisk(_ error: any Error) -> Bool {
    guard (error as? MagicError)?.code == .diskFull else { return false }
    hasFilledDisk = true
    return true
  }

  /// Rolls back the open transaction, if there is one.
  func rollBack() {
    writer.connection.rollBack()
    writer.cache?.didRollBack(on: writer.connection)
    writer.searchIndexes.noteSchemaChange()
    writer.hook?.didRollBack()
  }

  /// Reports to all writes that SQLite has rolled back the transaction.
  private func abortAll() {
    writer.cache?.didRollBack(on: writer.connection)
    writer.searchIndexes.noteSchemaChange()
    writer.hook?.didRollBack()
    for member in members.reversed() { member.transaction.didRollBack() }
    let lost = members
    members = []
    for member in lost { member.report(.lost) }
  }
}
