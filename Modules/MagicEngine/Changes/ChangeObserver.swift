package import MagicRuntime

/// An observer of commits, with a queue of the changes that it selects.
///
/// The queue has a limited capacity. When the capacity is exceeded, all queued elements are merged
/// into one element.
package final class ChangeObserver: Locked, @unchecked Sendable {
  package let filter: ObservationFilter
  /// Selects the relevant part of a commit. Returns nil if nothing is relevant.
  private let select: @Sendable (CommittedChanges) -> CommittedChanges?
  private let capacity: Int
  @exclusivity(unchecked) private var pending: [CommittedChanges] = []
  /// The merged changes, which precede ``pending``. They are the parts of one element. Each part
  /// has less than half as many rows as the part before it, so the number of times that a row is
  /// merged grows only logarithmically.
  @exclusivity(unchecked) private var merged: [CommittedChanges] = []
  @exclusivity(unchecked) private var waiters: [CheckedContinuation<CommittedChanges?, Never>] = []
  private var hasEnded = false
  private let origin = ProcessOrigin()
  private weak var feed: ChangeFeed?
  /// The generation of the feed in which the observer was added. Set once, by the feed.
  private(set) var generation: UInt64 = 0
  /// The handle that ends the observer when it is closed.
  private(set) var owner: ObjectIdentifier?

  /// - Parameters:
  ///   - capacity: the maximum number of queued elements, at least one.
  ///   - select: selects the relevant part of a commit. Called on the thread that commits.
  package init(
    _ filter: ObservationFilter, capacity: Int,
    select: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
  ) {
    self.filter = filter
    self.capacity = max(1, capacity)
    self.select = select
    super.init()
  }

  /// Called by the feed when the observer is added, before other threads can access the observer.
  func attach(to feed: ChangeFeed, owner: ObjectIdentifier, generation: UInt64) {
    self.feed = feed
    self.owner = owner
    self.generation = generation
  }

  /// Receives a committed transaction.
  package func offer(_ changes: CommittedChanges) {
    guard let own = select(changes) else { return }
    let waiter = withLock { () -> CheckedContinuation<CommittedChanges?, Never>? in
      guard !hasEnded else { return nil }
      if !waiters.isEmpty { return waiters.removeFirst() }
      pending.append(own)
      if pending.count + (merged.isEmpty ? 0 : 1) > capacity { mergePending() }
      return nil
    }
    waiter?.resume(returning: own)
  }

  /// Merges all queued elements into one.
  private func mergePending() {
    while pending.count > 1 {
      var halved: [CommittedChanges] = []
      for index in stride(from: 0, to: pending.count, by: 2) {
        var both = CommittedChanges()
        swap(&both, &pending[index])
        if index + 1 < pending.count { both.append(pending[index + 1]) }
        halved.append(both)
      }
      pending = halved
    }
    merged += pending.filter { !$0.isEmpty }
    pending = []
    while let last = merged.last, merged.count > 1,
      merged[merged.count - 2].rowCount <= 2 * last.rowCount
    {
      mergeLast()
    }
  }

  private func mergeLast() {
    let last = merged.removeLast()
    merged[merged.count - 1].append(last)
    if merged[merged.count - 1].isEmpty { merged.removeLast() }
  }

  private func takeFirst() -> CommittedChanges? {
    while merged.count > 1 { mergeLast() }
    if let element = merged.popLast() { return element }
    return pending.isEmpty ? nil : pending.removeFirst()
  }

  /// Returns the next element. Nil at the end, in a forked child process, and in a cancelled task,
  /// which ends the observer.
  package func next() async -> CommittedChanges? {
    guard !origin.isForked else { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isReady, element) = withLock { () -> (Bool, CommittedChanges?) in
          if let element = takeFirst() { return (true, element) }
          if hasEnded { return (true, nil) }
          waiters.append(continuation)
          return (false, nil)
        }
        if isReady { continuation.resume(returning: element) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Removes all queued elements and returns them as one element, or nil if the queue is empty.
  package func takeAll() -> CommittedChanges? {
    guard !origin.isForked else { return nil }
    return withLock {
      if pending.count > 1 || !merged.isEmpty { mergePending() }
      return takeFirst()
    }
  }

  /// The number of changed rows in all queued elements.
  package var pendingRowCount: Int {
    withLock { (merged + pending).reduce(0) { $0 + $1.rowCount } }
  }

  /// Whether no further elements will be queued. Queued elements may remain.
  package var isFinished: Bool { origin.isForked || withLock { hasEnded } }

  /// Ends the observer. Queued elements are still returned.
  func finish() {
    let waiting = withLock {
      hasEnded = true
      defer { waiters = [] }
      return waiters
    }
    for waiter in waiting { waiter.resume(returning: nil) }
  }

  /// Ends the observer and discards the queued elements.
  package func cancel() {
    guard !origin.isForked else { return }
    withLock {
      hasEnded = true
      (pending, merged) = ([], [])
    }
    feed?.remove(self)
    finish()
  }
}
