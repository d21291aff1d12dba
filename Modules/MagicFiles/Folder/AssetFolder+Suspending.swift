import MagicRuntime

extension AssetFolder {
  /// Ends the current batch and releases all locks. Until ``resume()``, no file can be staged, and
  /// staged files may not be published, because another process may sweep them.
  package func suspend() {
    let batches = withLock {
      if phase == .open { phase = .suspended }
      current = nil
      return self.batches.compactMap(\.batch)
    }
    for batch in batches { batch.releaseMark() }
  }

  /// Accepts files again, and takes the locks of the batches with staged files again. If another
  /// process is sweeping a batch, its lock is taken when a file of it is published.
  package func resume() {
    let batches = withLock {
      if phase == .suspended { phase = .open }
      return self.batches.compactMap(\.batch)
    }
    for batch in batches { try? batch.regainMark() }
  }

  /// Adds a batch to the list of batches in use. Called with the lock held.
  func track(_ batch: Batch) {
    batches.removeAll { $0.batch == nil }
    batches.append(WeakBatch(batch))
  }
}

/// A weak reference to a batch. It is a class because a weak reference in a structure would be
/// copied together with the structure, even while the batch is deinitialised.
final class WeakBatch {
  weak var batch: Batch?

  init(_ batch: Batch) { self.batch = batch }
}
