package import MagicSchema
import MagicRuntime
package import MagicSQLite

/// An open snapshot that keeps frames of the write-ahead log. Another thread may revoke it.
///
/// While a read of the snapshot runs, only its thread uses the connection. Revoking the snapshot
/// then interrupts the read, and the thread of the read ends the transaction. Between reads, the
/// thread that revokes the snapshot ends the transaction immediately, with the lock held. An
/// interrupt therefore never affects a statement of another snapshot, and two threads never use the
/// connection concurrently.
package final class SnapshotPin: @unchecked Sendable {
  private let lock = Lock()
  private let connection: SQLiteConnection
  private let snapshots: OpenSnapshots
  /// The number of running reads, one inside the other.
  private var depth = 0
  private var hasRead = false
  private var isRevoked = false
  private var hasEnded = false
  private var hasThrown = false

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

  /// Runs a body inside a read that is not a read itself, for example a closure of the user.
  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    _ = leave(isInterrupted: false)
    defer { lock.withLock { depth += 1 } }
    return try body()
  }

  /// Checks that a paused read may continue.
  ///
  /// - Throws: `MagicError` with `.snapshotTooOld` if the snapshot was revoked meanwhile.
  package func checkNotRevoked() throws {
    let mustThrow = lock.withLock {
      if isRevoked { hasThrown = true }
      return isRevoked
    }
    guard !mustThrow else { throw MagicError.snapshotTooOld() }
  }

  /// Revokes the snapshot: its reads fail from now on. A running read is interrupted, and the log
  /// is free after it has ended.
  func revoke() {
    lock.withLock {
      guard hasRead, !hasEnded else { return }
      isRevoked = true
      if depth > 0 { connection.interrupt() } else { connection.endReads() }
    }
  }

  /// Interrupts the running read of a snapshot that was revoked before.
  ///
  /// SQLite ignores an interrupt between two statements of one read.
  func interruptAgain() {
    lock.withLock { if isRevoked, !hasEnded, depth > 0 { connection.interrupt() } }
  }

  /// The body has ended, and does not use the connection any more.
  ///
  /// - Returns: whether a read failed because the snapshot was revoked.
  package func end() -> Bool {
    let (wasPinned, hasThrown) = lock.withLock {
      hasEnded = true
      return (hasRead, self.hasThrown)
    }
    if wasPinned { snapshots.remove(self) }
    return hasThrown
  }

  private func enter() throws {
    let (mustThrow, isFirst) = lock.withLock {
      guard !isRevoked else {
        hasThrown = true
        return (true, false)
      }
      defer { hasRead = true }
      depth += 1
      return (false, !hasRead)
    }
    guard !mustThrow else { throw MagicError.snapshotTooOld() }
    if isFirst { snapshots.enter(self) }
  }

  /// - Returns: whether the read was interrupted because the snapshot was revoked.
  private func leave(isInterrupted: Bool) -> Bool {
    lock.withLock {
      depth -= 1
      guard isRevoked else { return false }
      if depth == 0 { connection.endReads() }
      if isInterrupted { hasThrown = true }
      return isInterrupted
    }
  }
}

extension Error {
  /// Whether the error reports an interrupted statement.
  fileprivate var isInterrupt: Bool {
    let error = (self as? MagicError)?.cause ?? self
    return (error as? SQLiteError)?.code == .interrupted
  }
}

extension MagicError {
  package static func snapshotTooOld() -> MagicError {
    MagicError(
      .snapshotTooOld,
      "The snapshot was open for too long and was revoked, so that the write-ahead log could be "
        + "emptied. Read again on a new snapshot.")
  }
}
