import Dispatch
import MagicRuntime
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// Commits a batch that no further write joins. The next waiting write becomes the leader.
  func commit(_ batch: CommitBatch) {
    let isQuick =
      batch.isEmpty || commitsInPlace && !files.waitsForDisk(withNew: batch.hasFiles)
    guard !isQuick || batch.hasFilledDisk else { return commit(batch, mayWait: false) }
    commitThread.async { self.commit(batch, mayWait: true) }
  }

  /// - Parameter mayWait: whether the thread may block for the disk and for readers.
  private func commit(_ batch: CommitBatch, mayWait: Bool) {
    guard !batch.isEmpty else {
      // All writes of the batch have failed.
      batch.rollBack()
      freeLogSpace(after: batch)
      return releaseWriter(of: batch)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let ended = batch.commit()
    noteCommitTime(DispatchTime.now().uptimeNanoseconds - start)
    guard !mayWait, ended.unused.count > Self.maxRemovedInPlace else {
      finish(ended, of: batch, mayWait: mayWait)
      return releaseWriter(of: batch)
    }
    commitThread.async {
      self.finish(ended, of: batch, mayWait: true)
      self.releaseWriter(of: batch)
    }
  }

  /// Deleting this many files takes less time than switching threads.
  private static let maxRemovedInPlace = 4

  /// Completes a commit, successful or not: deletes files, reports the outcome to the writes,
  /// checkpoints the log, and returns free pages.
  func finish(_ ended: CommitBatch.CommitResult, of batch: CommitBatch, mayWait: Bool) {
    let mustReturnPages = freePages?.isDue(on: batch.writer.connection) ?? false
    complete(ended, of: batch, mayWait: mayWait)
    if mustReturnPages, !batch.hasFilledDisk { returnFreePages(on: batch.writer, mayWait) }
  }

  /// The same as ``finish(_:of:mayWait:)``, but returns no free pages.
  func complete(_ ended: CommitBatch.CommitResult, of batch: CommitBatch, mayWait: Bool) {
    let writer = batch.writer
    switch ended.outcome {
    case .committed:
      registerToken(on: writer)
      if isDurable { log?.recordCommit(on: writer.connection) }
    case .failed(let error): noteDamage(error)
    case .lost: break
    }
    writer.files.remove(ended.unused, on: writer.connection)
    // The writes need not wait for a checkpoint.
    for member in ended.members { member.report(ended.outcome) }
    log?.afterCommit(on: writer.connection, mayWait: mayWait)
    freeLogSpace(after: batch)
  }

  /// Frees space in the log after writes that failed because the disk was full. May block for
  /// readers and for the disk.
  func freeLogSpace(after batch: CommitBatch) {
    guard batch.hasFilledDisk, !batch.writer.connection.isInTransaction else { return }
    log?.afterFullDisk(on: batch.writer.connection)
  }

  /// Returns the writer to its pool, and makes the next waiting write the leader.
  private func releaseWriter(of batch: CommitBatch) {
    writer?.give(batch.writer)
    commits.wakeNext()
  }
}
