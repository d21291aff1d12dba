import MagicRuntime

/// The commit that a write which has run waits for.
final class PendingCommit: Locked, @unchecked Sendable {
  // Guarded by the lock, so that exclusive access needs no check at run time.
  @exclusivity(unchecked) private var ended: CommitBatch.Outcome?
  @exclusivity(unchecked) private var waiter: CheckedContinuation<CommitBatch.Outcome, Never>?

  /// What became of the write; asked once.
  var outcome: CommitBatch.Outcome {
    get async {
      if let ended = withLock({ ended }) { return ended }
      return await withCheckedContinuation { continuation in
        let ended = withLock {
          if self.ended == nil { waiter = continuation }
          return self.ended
        }
        if let ended { continuation.resume(returning: ended) }
      }
    }
  }

  /// Tells what became of the write.
  func resolve(_ outcome: CommitBatch.Outcome) {
    let waiter = withLock {
      ended = outcome
      return self.waiter
    }
    waiter?.resume(returning: outcome)
  }
}
