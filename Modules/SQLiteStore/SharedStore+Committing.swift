import Dispatch
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// Commits a batch that no write joins any more; then the next write in line leads.
  func commit(_ batch: CommitBatch) {
    let isQuick =
      batch.isEmpty || commitsInPlace && !files.waitsForDisk(withNew: batch.hasFiles)
    guard !isQuick || batch.hasFilledDisk else { return commit(batch, mayWait: false) }
    commitThread.async { self.commit(batch, mayWait: true) }
  }

  /// - Parameter mayWait: whether the thread may block for the disk, and for readers.
  private func commit(_ batch: CommitBatch, mayWait: Bool) {
    guard !batch.isEmpty else {
      // Nothing is left of what was to be in it.
      batch.rollBack()
      freeLogSpace(after: batch)
      return passOnWriter(of: batch)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let ended = batch.commit()
    noteCommitTime(DispatchTime.now().uptimeNanoseconds - start)
    guard !mayWait, ended.unused.count > Self.mostRemovedInPlace else {
      conclude(ended, of: batch, mayWait: mayWait)
      return passOnWriter(of: batch)
    }
    commitThread.async {
      self.conclude(ended, of: batch, mayWait: true)
      self.passOnWriter(of: batch)
    }
  }

  /// So many files are removed in less time than a change of threads takes.
  private static let mostRemovedInPlace = 4

  /// What follows a commit, or one that failed: files are removed, the writes get the outcome, and the
  /// log is kept small.
  func conclude(_ ended: CommitBatch.CommitResult, of batch: CommitBatch, mayWait: Bool) {
    let writer = batch.writer
    switch ended.outcome {
    case .committed:
      keepToken(on: writer)
      if isDurable { log?.recordCommit(on: writer.connection) }
    case .failed(let error): noteDamage(error)
    case .lost: break
    }
    writer.files.remove(ended.unused, on: writer.connection)
    // They need not wait for a checkpoint.
    for member in ended.members { member.report(ended.outcome) }
    log?.afterCommit(on: writer.connection, mayWait: mayWait)
    freeLogSpace(after: batch)
  }

  /// Frees space in the log after writes for which the disk had none. May block for readers and for
  /// the disk.
  func freeLogSpace(after batch: CommitBatch) {
    guard batch.hasFilledDisk, !batch.writer.connection.isInTransaction else { return }
    log?.afterFullDisk(on: batch.writer.connection)
  }

  /// Returns the writer, and lets the next write in line lead.
  private func passOnWriter(of batch: CommitBatch) {
    writer?.give(batch.writer)
    commits.wakeNext()
  }
}
