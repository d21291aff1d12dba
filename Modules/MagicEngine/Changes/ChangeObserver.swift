package import MagicRuntime

/// An observer of commits: the changes that concern it wait here until they are asked for.
///
/// So many elements wait at most; one more, and all that wait become one, which says what they come
/// to together.
package final class ChangeObserver: Locked, @unchecked Sendable {
  package let interest: ObservationFilter
  /// What concerns the observer of a commit; nil where nothing does.
  private let select: @Sendable (CommittedChanges) -> CommittedChanges?
  private let capacity: Int
  private var pending: [CommittedChanges] = []
  /// Before those that wait: parts of one element, each less than half as large as the one before it.
  /// So a row is gone through a few times, however many elements are joined.
  private var joined: [CommittedChanges] = []
  private var waiters: [CheckedContinuation<CommittedChanges?, Never>] = []
  private var isOver = false
  private let origin = ProcessOrigin()
  private weak var feed: ChangeFeed?
  /// The number of the change in observers that brought it in; set once, by the feed.
  private(set) var generation: UInt64 = 0
  /// The handle it ends with.
  private(set) var owner: ObjectIdentifier?

  /// - Parameters:
  ///   - capacity: the most elements that wait, at least one.
  ///   - select: says what concerns the observer; called where commits are made.
  package init(
    _ interest: ObservationFilter, capacity: Int,
    select: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
  ) {
    self.interest = interest
    self.capacity = max(1, capacity)
    self.select = select
    super.init()
  }

  /// The feed takes it in, before anybody else has it.
  func enter(_ feed: ChangeFeed, owner: ObjectIdentifier, generation: UInt64) {
    self.feed = feed
    self.owner = owner
    self.generation = generation
  }

  /// A transaction was committed.
  package func offer(_ changes: CommittedChanges) {
    guard let own = select(changes) else { return }
    let waiter = withLock { () -> CheckedContinuation<CommittedChanges?, Never>? in
      guard !isOver else { return nil }
      if !waiters.isEmpty { return waiters.removeFirst() }
      pending.append(own)
      if pending.count + (joined.isEmpty ? 0 : 1) > capacity { join() }
      return nil
    }
    waiter?.resume(returning: own)
  }

  /// Makes one element of all that wait.
  private func join() {
    while pending.count > 1 {
      var halved: [CommittedChanges] = []
      for index in stride(from: 0, to: pending.count, by: 2) {
        var both = pending[index]
        if index + 1 < pending.count { both.append(pending[index + 1]) }
        halved.append(both)
      }
      pending = halved
    }
    joined += pending.filter { !$0.isEmpty }
    pending = []
    while let last = joined.last, joined.count > 1,
      joined[joined.count - 2].rowCount <= 2 * last.rowCount
    {
      joinLast()
    }
  }

  private func joinLast() {
    let last = joined.removeLast()
    joined[joined.count - 1].append(last)
    if joined[joined.count - 1].isEmpty { joined.removeLast() }
  }

  private func takeFirst() -> CommittedChanges? {
    while joined.count > 1 { joinLast() }
    if let element = joined.popLast() { return element }
    return pending.isEmpty ? nil : pending.removeFirst()
  }

  /// The next element; nil at the end, in the child of a fork, and in a cancelled task, whose observer
  /// ends.
  package func next() async -> CommittedChanges? {
    guard !origin.isForked else { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isThere, element) = withLock { () -> (Bool, CommittedChanges?) in
          if let element = takeFirst() { return (true, element) }
          if isOver { return (true, nil) }
          waiters.append(continuation)
          return (false, nil)
        }
        if isThere { continuation.resume(returning: element) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Takes what waits as one element; nil where nothing does.
  package func takeAll() -> CommittedChanges? {
    guard !origin.isForked else { return nil }
    return withLock {
      if pending.count > 1 || !joined.isEmpty { join() }
      return takeFirst()
    }
  }

  /// How many rows wait, in all their elements.
  package var waitingRowCount: Int {
    withLock { (joined + pending).reduce(0) { $0 + $1.rowCount } }
  }

  /// Whether nothing comes any more, save what waits.
  package var isFinished: Bool { origin.isForked || withLock { isOver } }

  /// Ends it: what waits is still handed out, and then nothing more.
  func finish() {
    let waiting = withLock {
      isOver = true
      defer { waiters = [] }
      return waiters
    }
    for waiter in waiting { waiter.resume(returning: nil) }
  }

  /// Its elements are not wanted any more.
  package func cancel() {
    guard !origin.isForked else { return }
    withLock {
      isOver = true
      (pending, joined) = ([], [])
    }
    feed?.remove(self)
    finish()
  }
}
