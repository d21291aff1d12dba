package import MagicSQLite

/// Decides when a database's write-ahead log is checkpointed, restarted and truncated.
///
/// A write restarts the log if the entire log was copied to the database and no reader uses it.
/// Readers that overlap continuously prevent that, and so does one long reader.
///
/// Only the thread that has the writer uses this class.
package final class CheckpointPolicy: @unchecked Sendable {
  /// The number of pages between checkpoints; the same as SQLite's default.
  private static let checkpointInterval = 1_000
  /// The number of pages between restarts: a log of 16 MiB at the default page size.
  private static let restartInterval = 4_000
  /// How long to wait for readers, in seconds, while the log is within its limit.
  private static let shortestTimeout = 0.05

  private let snapshots: OpenSnapshots
  private let held: HeldSnapshots
  /// The maximum size of the log that snapshots may keep, in pages.
  private let limit: Int
  private let restartInterval: Int
  /// Nil if the loss of the log is not to be detected.
  private let record: LogRecord?
  // The size of the log in pages, after the commit.
  private var lastCheckpoint = 0
  private var lastRestart = 0

  /// - Parameter limit: the maximum size of the log that snapshots may keep, in bytes.
  package init(
    watching writer: SQLiteConnection, limit: Int, snapshots: OpenSnapshots, held: HeldSnapshots,
    record: LogRecord?
  ) throws(SQLiteError) {
    self.snapshots = snapshots
    self.held = held
    self.record = record
    // Each page has a header of 24 bytes in the log.
    let pageSize = Int(try writer.integer("PRAGMA page_size") ?? 4_096) + 24
    self.limit = max(1, limit / pageSize)
    restartInterval = min(Self.restartInterval, self.limit)
    writer.watchLog()
  }

  /// Continues with another connection, after the log was emptied or another process has used it.
  package func watch(_ writer: SQLiteConnection) {
    didRestart()
    writer.watchLog()
  }

  /// Called after every commit that is on disk, before its caller is notified.
  package func recordCommit(on writer: SQLiteConnection) {
    if let record, let frames = writer.logSize { record.noteCommit(frames, on: writer) }
  }

  /// The writer is about to be closed, finally or for a suspension.
  package func willClose(_ connection: SQLiteConnection) {
    if connection.isLogDamaged {
      // Copying the log to the database would damage the database too.
      connection.keepLogWhenClosed()
    } else if record != nil, !connection.isInTransaction {
      checkpoint(connection, .passive)
    }
  }

  /// The writer was closed.
  package func didClose() { record?.closeAfterDatabase() }

  /// - Returns: whether the checkpoint did everything that its mode promises.
  @discardableResult
  private func checkpoint(
    _ writer: SQLiteConnection, _ kind: SQLiteConnection.Checkpoint, timeout: Double = 0
  ) -> Bool {
    defer { record?.noteCheckpoint(on: writer) }
    guard kind != .passive else {
      held.endIdle()
      return writer.checkpoint(kind)
    }
    return held.pausing {
      // Readers that were in use when the pause began may hold a snapshot until their next read.
      writer.checkpoint(kind, timeout: timeout) { held.endIdle() }
    }
  }

  /// Runs a checkpoint if one is due. Called after every commit, with no transaction open.
  ///
  /// A checkpoint that fails is tried again later. The commit is not affected.
  ///
  /// - Parameter mayWait: whether to block the thread for readers that are about to end: 50 ms for
  ///   each 16 MiB that were written, more if the log exceeds its limit, and at most one second.
  ///   False for a thread that runs tasks.
  package func afterCommit(on writer: SQLiteConnection, mayWait: Bool) {
    guard let size = writer.takeLogSize() else { return }
    if size < lastCheckpoint { didRestart() }
    let exceedsLimit = size > limit
    if size - lastRestart >= restartInterval || exceedsLimit && lastRestart <= limit {
      (lastCheckpoint, lastRestart) = (size, size)
      if restart(writer, size: size, mayWait: mayWait) { didRestart() }
      return
    }
    if exceedsLimit {
      for snapshot in snapshots.oldestFirst { snapshot.interruptAgain() }
    }
    if size - lastCheckpoint >= Self.checkpointInterval {
      lastCheckpoint = size
      checkpoint(writer, .passive)
    }
  }

  /// Shortens the database file after free pages were returned, unless a reader prevents it. Then a
  /// later checkpoint does it. Called with no transaction open.
  package func afterReturningPages(on writer: SQLiteConnection) { checkpoint(writer, .passive) }

  /// Shortens the database file and the log after the entire database was compacted, unless a
  /// reader prevents it. Called with no transaction open.
  package func afterCompaction(on writer: SQLiteConnection) {
    guard !snapshots.hasFullRead else { return afterReturningPages(on: writer) }
    if checkpoint(writer, .truncate, timeout: 1) { didRestart() }
  }

  /// Lets the next write reuse the space of the log when the disk is full. Called with no
  /// transaction open.
  ///
  /// This is impossible if readers use the log, or if the database must grow to receive the log's
  /// pages.
  package func afterFullDisk(on writer: SQLiteConnection) {
    if checkpoint(writer, .restart, timeout: Self.shortestTimeout) { didRestart() }
  }

  private func didRestart() { (lastCheckpoint, lastRestart) = (0, 0) }

  /// Waits for readers to stop using the log. If the log exceeds its limit, snapshots are revoked.
  private func restart(_ writer: SQLiteConnection, size: Int, mayWait: Bool) -> Bool {
    // A read of the entire database is not waited for.
    guard !snapshots.hasFullRead else { return checkpoint(writer, .passive) && false }
    let timeout = mayWait ? timeout(size) : 0
    guard size > limit else { return checkpoint(writer, .restart, timeout: timeout) }
    if checkpoint(writer, .truncate, timeout: timeout) { return true }
    let pinning = snapshots.oldestFirst
    for snapshot in pinning {
      snapshot.revoke()
      // The next snapshot may be young and about to end.
      if checkpoint(writer, .truncate, timeout: timeout / Double(pinning.count)) { return true }
    }
    return false
  }

  /// Returns the time to wait, in seconds. The time grows with the log, so that slow reads that
  /// cannot be revoked do not make the log grow without limit.
  private func timeout(_ size: Int) -> Double {
    let excess = max(1, Double(size) / Double(limit))
    return min(1, Self.shortestTimeout * excess * excess)
  }
}
