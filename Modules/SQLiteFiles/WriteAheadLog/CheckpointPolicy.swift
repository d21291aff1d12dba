package import MagicSQLite

/// Keeps a database's write-ahead log small, whatever reads beside the writer.
///
/// A log is restarted by a write that finds all of it in the database and no reader in it.
/// Readers that overlap all the time let no write find that, and neither does one that stays.
///
/// Used by the thread that has the writer.
package final class CheckpointPolicy: @unchecked Sendable {
  /// As often as SQLite does by itself.
  private static let checkpointInterval = 1_000
  /// A log of 16 MiB, at the usual size of a page.
  private static let restartInterval = 4_000
  /// How long readers are waited for, in seconds, where the log is within its limit.
  private static let shortestTimeout = 0.05

  private let snapshots: OpenSnapshots
  /// In pages, of the log that snapshots may keep.
  private let limit: Int
  private let restartInterval: Int
  /// Nil where a lost log is not to be noticed.
  private let record: LogRecord?
  // In pages of the log, as it was after the commit.
  private var lastCheckpoint = 0
  private var lastRestart = 0

  /// - Parameter limit: in bytes, of the log that snapshots may keep.
  package init(
    watching writer: SQLiteConnection, limit: Int, snapshots: OpenSnapshots, record: LogRecord?
  ) throws(SQLiteError) {
    self.snapshots = snapshots
    self.record = record
    // Each page has a header of 24 bytes in the log.
    let pageSize = Int(try writer.integer("PRAGMA page_size") ?? 4_096) + 24
    self.limit = max(1, limit / pageSize)
    restartInterval = min(Self.restartInterval, self.limit)
    writer.watchLog()
  }

  /// Goes on with another connection, after the log was emptied or was another process's.
  package func watch(_ writer: SQLiteConnection) {
    didRestart()
    writer.watchLog()
  }

  /// Called after every commit that has reached the disk, before its caller is told.
  package func recordCommit(on writer: SQLiteConnection) {
    if let record, let frames = writer.logSize { record.noteCommit(frames, on: writer) }
  }

  /// The writer is about to be closed, for good or while the database is suspended.
  package func willClose(_ connection: SQLiteConnection) {
    if connection.isLogDamaged {
      // Moving it into the database would damage that too.
      connection.keepLogWhenClosed()
    } else if record != nil, !connection.isInTransaction {
      checkpoint(connection, .passive)
    }
  }

  /// The writer was closed.
  package func didClose() { record?.closeAfterDatabase() }

  /// - Returns: whether the checkpoint did all it is for.
  @discardableResult
  private func checkpoint(
    _ writer: SQLiteConnection, _ kind: SQLiteConnection.Checkpoint, timeout: Double = 0
  ) -> Bool {
    defer { record?.noteCheckpoint(on: writer) }
    return writer.checkpoint(kind, timeout: timeout)
  }

  /// Checkpoints where it is time to; called after every commit, with no transaction open.
  ///
  /// What fails here is tried again later: the commit stands.
  ///
  /// - Parameter mayWait: whether to block the thread for readers that are about to end: 50 ms once
  ///   in 16 MiB that were written, more where the log is beyond its limit, a second at most. Not
  ///   for a thread that runs tasks.
  package func afterCommit(on writer: SQLiteConnection, mayWait: Bool) {
    guard let size = writer.takeLogSize() else { return }
    if size < lastCheckpoint { didRestart() }
    let isBeyond = size > limit
    if size - lastRestart >= restartInterval || isBeyond && lastRestart <= limit {
      (lastCheckpoint, lastRestart) = (size, size)
      if restart(writer, size: size, mayWait: mayWait) { didRestart() }
      return
    }
    if isBeyond {
      for snapshot in snapshots.oldestFirst { snapshot.interruptAgain() }
    }
    if size - lastCheckpoint >= Self.checkpointInterval {
      lastCheckpoint = size
      checkpoint(writer, .passive)
    }
  }

  /// Lets the next write use the space that the log has, where the disk has no other; called with no
  /// transaction open.
  ///
  /// It cannot where readers stay in the log, or where the database has to grow for what is in it.
  package func afterFullDisk(on writer: SQLiteConnection) {
    if checkpoint(writer, .restart, timeout: Self.shortestTimeout) { didRestart() }
  }

  private func didRestart() { (lastCheckpoint, lastRestart) = (0, 0) }

  /// Waits for readers to leave the log. Where it is beyond its limit, snapshots have to.
  private func restart(_ writer: SQLiteConnection, size: Int, mayWait: Bool) -> Bool {
    // A read of the whole database is not waited for.
    guard !snapshots.isReadWhole else { return checkpoint(writer, .passive) && false }
    let timeout = mayWait ? timeout(size) : 0
    guard size > limit else { return checkpoint(writer, .restart, timeout: timeout) }
    if checkpoint(writer, .truncate, timeout: timeout) { return true }
    let pinning = snapshots.oldestFirst
    for snapshot in pinning {
      snapshot.takeAway()
      // The next one may be young, and about to end.
      if checkpoint(writer, .truncate, timeout: timeout / Double(pinning.count)) { return true }
    }
    return false
  }

  /// In seconds. It grows with the log, so that reads that are slow without being snapshots do not
  /// let it grow for ever.
  private func timeout(_ size: Int) -> Double {
    let excess = max(1, Double(size) / Double(limit))
    return min(1, Self.shortestTimeout * excess * excess)
  }
}
