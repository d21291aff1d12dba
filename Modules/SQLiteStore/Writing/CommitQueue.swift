import MagicEngine
import MagicRuntime
import MagicSQLite
import SQLiteEngine

/// Orders writes, so that the writes that arrive while another is being committed share the next
/// commit.
///
/// The first write becomes the leader: it takes the writer, begins the transaction and opens a
/// batch. All writes that already wait join the batch, and so do those that arrive before the last
/// of them has run or one has failed. The batch is then committed, and the next waiting write
/// becomes the leader.
///
/// An exclusive write has a separate commit: it joins no batch, and no other write joins its batch.
/// No later write overtakes it.
final class CommitQueue: @unchecked Sendable {
  private let lock = Lock()
  // Guarded by the lock, so that no dynamic exclusivity checks are needed.
  @exclusivity(unchecked) private var phase = Phase.idle
  @exclusivity(unchecked) private var waiters = WaiterQueue<CommitRole>()
  /// Whether a write of the open batch has failed. No further write joins it then: a caller that
  /// repeats its write after a conflict would otherwise extend the batch without end, and not see
  /// what the batch commits.
  @exclusivity(unchecked) private var hasFailedWrite = false
  private let lifecycle: StoreLifecycle

  private enum Phase {
    /// No write runs.
    case idle
    /// A leader opens a batch, or a batch is being committed.
    case busy
    /// Writes may join a batch. The number is that of the writes that have joined and have not run
    /// yet.
    case open(CommitBatch, expected: Int)
  }

  /// - Parameter lifecycle: determines whether writes are admitted.
  init(_ lifecycle: StoreLifecycle) { self.lifecycle = lifecycle }

  /// The maximum number of writes in one commit.
  private static let limit = 1_000

  /// The number of waiting writes.
  var waitingCount: Int { lock.withLock { waiters.count } }

  /// Waits until the write may run.
  ///
  /// - Parameter isExclusive: whether the write needs a separate commit.
  func enter(isExclusive: Bool) async -> CommitRole {
    if let role = lock.withLock({ availableRole(isExclusive) }) { return role }
    return await Waiter<CommitRole>(isExclusive: isExclusive)
      .wait(cancelled: .cancelled, enter: { wait($0, isExclusive) }) { waiter in
        lock.withLock { waiters.remove(waiter) }
      }
  }

  /// Opens a batch of the leader. The waiting writes join it, up to the first exclusive one.
  func open(_ batch: CommitBatch) {
    let joining = lock.withLock {
      var joining: [Waiter<CommitRole>] = []
      while joining.count < Self.limit, let waiter = waiters.popFirstNonexclusive() {
        joining.append(waiter)
      }
      phase = .open(batch, expected: joining.count + 1)
      hasFailedWrite = false
      return joining
    }
    for waiter in joining { waiter.resume(.member(batch)) }
  }

  /// The leader or a member of a batch has run.
  ///
  /// - Parameter hasFailed: whether it has thrown an error.
  /// - Returns: whether it was the last one. No further write joins the batch then, and the caller
  ///   commits it.
  func didRun(in batch: CommitBatch, hasFailed: Bool) -> Bool {
    lock.withLock {
      guard case .open(let open, let expected) = phase, open === batch else { return false }
      if hasFailed { hasFailedWrite = true }
      phase = expected > 1 ? .open(batch, expected: expected - 1) : .busy
      return expected <= 1
    }
  }

  /// Makes the next waiting write the leader, after the leader has failed or its batch has ended.
  func wakeNext() {
    let next = lock.withLock { () -> Waiter<CommitRole>? in
      let next = waiters.popFirst()
      phase = next == nil ? .idle : .busy
      return next
    }
    next?.resume(.leader)
  }

  /// Rejects the waiting writes, because the database is being suspended.
  func rejectWaiters() {
    for waiter in lock.withLock({ waiters.popAll() }) { waiter.resume(.suspended) }
  }

  /// Returns the role of a write; nil if it must wait. Called with the lock held.
  private func availableRole(_ isExclusive: Bool) -> CommitRole? {
    if lifecycle.isSuspended { return .suspended }
    switch phase {
    case .idle:
      phase = .busy
      return .leader
    case .open(let batch, let expected)
    where !isExclusive && !hasFailedWrite && waiters.isEmpty && expected < Self.limit:
      phase = .open(batch, expected: expected + 1)
      return .member(batch)
    case .open, .busy: return nil
    }
  }

  /// Resumes the waiter immediately, or adds it to the queue.
  private func wait(_ waiter: Waiter<CommitRole>, _ isExclusive: Bool) {
    let immediate: CommitRole? = lock.withLock {
      if Task.isCancelled { return .cancelled }
      if let role = availableRole(isExclusive) { return role }
      waiters.append(waiter)
      return nil
    }
    if let immediate { waiter.resume(immediate) }
  }
}
