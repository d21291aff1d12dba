package import MagicSchema
import MagicRuntime
package import MagicSQLite

/// What an open snapshot keeps of the write-ahead log. It may be taken away from another thread.
///
/// While a read of the snapshot runs, its thread alone uses the connection; then taking it away
/// interrupts the read, whose thread ends the transaction. Between reads, the thread that takes it away ends the
/// transaction at once, with the lock held. So no interrupt meets a statement that is not the
/// snapshot's, and no two threads use the connection at once.
package final class SnapshotPin: @unchecked Sendable {
  private let lock = Lock()
  private let connection: SQLiteConnection
  private let snapshots: OpenSnapshots
  /// How many reads are running, one inside the other.
  private var depth = 0
  private var hasRead = false
  private var isTaken = false
  private var hasEnded = false
  private var hasRefused = false

  package init(_ connection: SQLiteConnection, _ snapshots: OpenSnapshots) {
    self.connection = connection
    self.snapshots = snapshots
  }

  /// Runs a read on the snapshot.
  ///
  /// - Throws: what the body throws, or `MagicError` with `.snapshotTooOld`.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try enter()
    let result: Result
    do {
      result = try body()
    } catch {
      guard leave(isInterrupted: error.isInterrupt) else { throw error }
      throw MagicError.snapshotTooOld()
    }
    _ = leave(isInterrupted: false)
    return result
  }

  /// Runs what is no read in the midst of one, such as a body of the user's.
  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    _ = leave(isInterrupted: false)
    defer { lock.withLock { depth += 1 } }
    return try body()
  }

  /// Checks that a read that was paused may go on.
  ///
  /// - Throws: `MagicError` with `.snapshotTooOld` where the snapshot was taken away meanwhile.
  package func requireKept() throws {
    let isRefused = lock.withLock {
      if isTaken { hasRefused = true }
      return isTaken
    }
    guard !isRefused else { throw MagicError.snapshotTooOld() }
  }

  /// Takes the snapshot away: its reads fail from now on. Where it is still being read, that read
  /// is interrupted, and the log is free when it has ended.
  func takeAway() {
    lock.withLock {
      guard hasRead, !hasEnded else { return }
      isTaken = true
      if depth > 0 { connection.interrupt() } else { connection.endReads() }
    }
  }

  /// Interrupts the running read of a snapshot that was taken away before.
  ///
  /// SQLite forgets an interrupt that comes between two statements of one read.
  func interruptAgain() {
    lock.withLock { if isTaken, !hasEnded, depth > 0 { connection.interrupt() } }
  }

  /// The body is done: its connection is not used from now on.
  ///
  /// - Returns: whether a read failed because the snapshot had been taken away.
  package func end() -> Bool {
    let (wasPinned, hasRefused) = lock.withLock {
      hasEnded = true
      return (hasRead, self.hasRefused)
    }
    if wasPinned { snapshots.remove(self) }
    return hasRefused
  }

  private func enter() throws {
    let (isRefused, isFirst) = lock.withLock {
      guard !isTaken else {
        hasRefused = true
        return (true, false)
      }
      defer { hasRead = true }
      depth += 1
      return (false, !hasRead)
    }
    guard !isRefused else { throw MagicError.snapshotTooOld() }
    if isFirst { snapshots.enter(self) }
  }

  /// - Returns: whether the read was interrupted because the snapshot was taken away.
  private func leave(isInterrupted: Bool) -> Bool {
    lock.withLock {
      depth -= 1
      guard isTaken else { return false }
      if depth == 0 { connection.endReads() }
      if isInterrupted { hasRefused = true }
      return isInterrupted
    }
  }
}

extension Error {
  /// Whether it says that a statement was interrupted.
  fileprivate var isInterrupt: Bool {
    let error = (self as? MagicError)?.cause ?? self
    return (error as? SQLiteError)?.code == .interrupted
  }
}

extension MagicError {
  package static func snapshotTooOld() -> MagicError {
    MagicError(
      .snapshotTooOld,
      "The snapshot was open for so long that it was taken away, to empty the write-ahead log.")
  }
}
