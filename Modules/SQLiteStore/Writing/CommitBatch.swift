import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// Writes that share one commit, in the order they came. Each is all or nothing by itself: one that
/// throws harms no other.
///
/// Used by one thread at a time: by the executor, and then by the one that commits. So its properties need
/// no check of exclusive access at run time.
final class CommitBatch: @unchecked Sendable {
  let writer: StoreConnection
  private let openTransaction: (SQLiteConnection) throws -> Void
  /// Those that wait for the commit.
  @exclusivity(unchecked) private(set) var members: [Member] = []
  /// Whether the disk had no space for one of the writes.
  @exclusivity(unchecked) private(set) var hasFilledDisk = false

  /// A write that waits for the commit.
  struct Member: @unchecked Sendable {
    let transaction: WriteTransaction
    let report: (Outcome) -> Void
  }

  /// What became of a write that had run.
  enum Outcome: Sendable {
    case committed
    case failed(any Error)
    /// An error of another write made SQLite roll everything back. It may run again.
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
      writer.files.noteForeignChanges()
      writer.lookForOtherShapes()
    }
  }

  /// Whether nothing waits for the commit.
  var isEmpty: Bool { members.isEmpty }

  /// Runs a write: in a savepoint where others wait for the commit.
  ///
  /// - Returns: what the body returns, and the transaction for ``add(_:report:)``.
  /// - Throws: what the body throws. Nothing of it is left then.
  func run<Result>(
    _ body: (WriteTransaction) throws -> Result
  ) throws -> (Result, WriteTransaction) {
    let transaction = WriteTransaction(store: writer)
    do {
      let result = try mapping {
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
      // Z-indexes may have been given out that are free again.
      writer.rowIDs.removeAll()
      if !writer.connection.isInTransaction { abortAll() }
      let cause = (error as? MagicError)?.endingTransaction ?? error
      noteFullDisk(cause)
      throw writer.lifecycle.explained(cause)
    }
  }

  private func complete<Result>(
    _ transaction: WriteTransaction, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    try writer.lifecycle.checkNotSuspended()
    let result = try body(transaction)
    // Whatever the body made of its verbs' errors.
    try writer.lifecycle.checkNotSuspended()
    try transaction.requireOpen()
    try transaction.prepareCommit()
    if let hook = writer.hook { transaction.recorded = try hook.didRun() }
    return result
  }

  /// Lets a write that has run wait for the commit.
  func add(_ transaction: WriteTransaction, report: @escaping (Outcome) -> Void) {
    members.append(Member(transaction: transaction, report: report))
  }

  /// Whether files are to be brought to the disk.
  var hasFiles: Bool { members.contains { $0.transaction.staged.count > 0 } }

  /// What a commit leaves to be done.
  struct CommitResult: Sendable {
    let members: [Member]
    let outcome: Outcome
    /// The files to be removed before the members are told.
    let unused: [AssetName]
  }

  /// Commits. Objects in memory are then what was stored, or what they were.
  func commit() -> CommitResult {
    defer { members = [] }
    let unused: [AssetName]
    var isCertain = true
    do {
      unused = try mapping {
        try writer.lifecycle.checkNotForked()
        let staged = members.flatMap(\.transaction.staged.files)
        let unused = try writer.files.prepareCommit(staged, on: writer.connection)
        isCertain = false
        try writer.connection.commit()
        return unused
      }
    } catch {
      let error = writer.lifecycle.explained(error)
      rollBack()
      // What does not fit into the log is not whole there, and nothing can make it true.
      isCertain = noteFullDisk(error) || isCertain
      for member in members.reversed() {
        member.transaction.didRollBack(isCertain: isCertain)
      }
      return CommitResult(members: members, outcome: .failed(error), unused: [])
    }
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
  private func noteFullDisk(_ error: any Error) -> Bool {
    guard (error as? MagicError)?.code == .diskFull else { return false }
    hasFilledDisk = true
    return true
  }

  /// Ends the transaction without storing it, where one is open.
  func rollBack() {
    writer.connection.rollBack()
    writer.hook?.didRollBack()
  }

  /// SQLite has rolled everything back.
  private func abortAll() {
    writer.hook?.didRollBack()
    for member in members.reversed() { member.transaction.didRollBack() }
    let lost = members
    members = []
    for member in lost { member.report(.lost) }
  }
}
