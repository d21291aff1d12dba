import MagicRuntime

/// The commit that a write waits for after it has run.
final class PendingCommit: Locked, @unchecked Sendable {
  // Guarded by the lock, so that no dynamic exclusivity checks are needed.
  @exclusivity(unchecked) private var ended: CommitBatch.Outcome?
  @exclusivity(unchecked) private var waiter: CheckedContinuation<CommitBatch.Outcome, Never>?

  /// The outcome of the write. May be read only once.
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

  /// Sets the outcome of the write.
  func resolve(_ outcome: CommitBatch.Outcome) {
    let waiter = withLock {
      ended = outcome
      return self.waiter
    }
    waiter?.resume(returning: outcome)
  }
}
