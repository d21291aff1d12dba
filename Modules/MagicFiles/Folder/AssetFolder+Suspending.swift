import MagicRuntime

extension AssetFolder {
  /// Gives the current batch up and lets go of all locks. No file is staged before ``resume()``, and
  /// none of those that are may be settled: another process may sweep them.
  package func suspend() {
    let batches = withLock {
      if phase == .open { phase = .suspended }
      current = nil
      return self.batches.compactMap(\.batch)
    }
    for batch in batches { batch.releaseMark() }
  }

  /// Takes files again, and the locks of what is staged; a batch that another process sweeps just now
  /// gets its lock when a file of it is settled.
  package func resume() {
    let batches = withLock {
      if phase == .suspended { phase = .open }
      return self.batches.compactMap(\.batch)
    }
    for batch in batches { try? batch.regainMark() }
  }

  /// Remembers a batch as long as somebody has it. Called with the lock held.
  func enter(_ batch: Batch) {
    batches.removeAll { $0.batch == nil }
    batches.append(WeakBatch(batch))
  }
}

/// A class: a weak reference in a structure would be copied with it, also while its batch ends.
final class WeakBatch {
  weak var batch: Batch?

  init(_ batch: Batch) { self.batch = batch }
}
