package import MagicRuntime

/// One who hears of commits: what concerns it waits here until it is asked for.
///
/// So many elements wait at most; one more, and all that wait become one, which says what they come
/// to together.
package final class ChangeObserver: Locked, @unchecked Sendable {
  package let interest: ChangeInterest
  /// What concerns the observer of a commit; nil where nothing does.
  private let select: @Sendable (CommittedChanges) -> CommittedChanges?
  private let capacity: Int
  private var pending: [CommittedChanges] = []
  private var waiters: [CheckedContinuation<CommittedChanges?, Never>] = []
  private var isOver = false
  private weak var feed: ChangeFeed?
  /// The number of the change in observers that brought it in; set once, by the feed.
  private(set) var generation: UInt64 = 0
  /// The handle it ends with.
  private(set) var owner: ObjectIdentifier?

  /// - Parameters:
  ///   - capacity: the most elements that wait, at least one.
  ///   - select: says what concerns the observer; called where commits are made.
  package init(
    _ interest: ChangeInterest, capacity: Int,
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
  func offer(_ changes: CommittedChanges) {
    guard let own = select(changes) else { return }
    let waiter = withLock { () -> CheckedContinuation<CommittedChanges?, Never>? in
      guard !isOver else { return nil }
      if !waiters.isEmpty { return waiters.removeFirst() }
      pending.append(own)
      if pending.count > capacity { join() }
      return nil
    }
    waiter?.resume(returning: own)
  }

  /// The first may be large, being joined already: it is gone through once.
  private func join() {
    while pending.count > 2 {
      var halved = [pending[0]]
      for index in stride(from: 1, to: pending.count, by: 2) {
        var both = pending[index]
        if index + 1 < pending.count { both.append(pending[index + 1]) }
        halved.append(both)
      }
      pending = halved
    }
    if pending.count == 2 { pending[0].append(pending.removeLast()) }
    if pending.first?.isEmpty ?? false { pending = [] }
  }

  /// The next element; nil at the end, and in a cancelled task, whose observer ends.
  package func next() async -> CommittedChanges? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isThere, element) = withLock { () -> (Bool, CommittedChanges?) in
          if !pending.isEmpty { return (true, pending.removeFirst()) }
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
    withLock {
      if pending.count > 1 { join() }
      return pending.isEmpty ? nil : pending.removeFirst()
    }
  }

  /// Whether nothing comes any more, save what waits.
  package var isFinished: Bool { withLock { isOver } }

  /// Ends it: what waits is still handed out, and then nothing more.
  func finish() {
    let waiting = withLock {
      isOver = true
      defer { waiters = [] }
      return waiters
    }
    for waiter in waiting { waiter.resume(returning: nil) }
  }

  /// Nobody asks any more.
  package func cancel() {
    withLock {
      isOver = true
      pending = []
    }
    feed?.remove(self)
    finish()
  }
}
