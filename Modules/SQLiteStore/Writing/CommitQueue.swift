import MagicEngine
import MagicRuntime
import MagicSQLite
import SQLiteEngine

/// Orders writes, so that those which come while another is committed share the next commit.
///
/// The first that comes leads: it takes the writer, begins the transaction and opens a batch. All
/// that wait by then join it, and so do those that come before the last of them has run. Then the
/// batch is committed, and the next in line leads.
///
/// A write that is to have its commit to itself joins no batch, and none joins it. No later write
/// overtakes it.
final class CommitQueue: @unchecked Sendable {
  private let lock = Lock()
  // Guarded by the lock, so that exclusive access needs no check at run time.
  @exclusivity(unchecked) private var phase = Phase.idle
  @exclusivity(unchecked) private var waiters = WaiterQueue<CommitRole>()
  private let lifecycle: StoreLifecycle

  private enum Phase {
    /// No write runs.
    case idle
    /// A leader opens a batch, or a batch is being committed.
    case busy
    /// Writes may join a batch; so many have joined and have not run yet.
    case open(CommitBatch, expected: Int)
  }

  /// - Parameter lifecycle: tells whether writes are admitted.
  init(_ lifecycle: StoreLifecycle) { self.lifecycle = lifecycle }

  /// The most writes that one commit waits for.
  private static let limit = 1_000

  /// How many writes wait.
  var waitingCount: Int { lock.withLock { waiters.count } }

  /// Waits until the write may run.
  ///
  /// - Parameter isExclusive: whether the write is to have its commit to itself.
  func enter(isExclusive: Bool) async -> CommitRole {
    if let role = lock.withLock({ freeRole(isExclusive) }) { return role }
    return await Waiter<CommitRole>(isExclusive: isExclusive)
      .wait(cancelled: .cancelled, enter: { wait($0, isExclusive) }) { waiter in
        lock.withLock { waiters.remove(waiter) }
      }
  }

  /// The leader lets those join that wait, up to the first that is to have its commit to itself.
  func open(_ batch: CommitBatch) {
    let joining = lock.withLock {
      var joining: [Waiter<CommitRole>] = []
      while joining.count < Self.limit, let waiter = waiters.popFirstSharing() {
        joining.append(waiter)
      }
      phase = .open(batch, expected: joining.count + 1)
      return joining
    }
    for waiter in joining { waiter.resume(.member(batch)) }
  }

  /// The leader or a member has run.
  ///
  /// - Returns: whether it was the last: no write joins any more, and the batch is to be committed.
  func didRun(in batch: CommitBatch) -> Bool {
    lock.withLock {
      guard case .open(let open, let expected) = phase, open === batch else { return false }
      phase = expected > 1 ? .open(batch, expected: expected - 1) : .busy
      return expected <= 1
    }
  }

  /// The leader has failed, or its batch is done: the next in line leads.
  func wakeNext() {
    let next = lock.withLock { () -> Waiter<CommitRole>? in
      let next = waiters.popFirst()
      phase = next == nil ? .idle : .busy
      return next
    }
    next?.resume(.leader)
  }

  /// The store is being suspended: those that wait are told.
  func rejectWaiters() {
    for waiter in lock.withLock({ waiters.popAll() }) { waiter.resume(.suspended) }
  }

  /// Called with the lock held; nil where the write has to wait.
  private func freeRole(_ isExclusive: Bool) -> CommitRole? {
    if lifecycle.isSuspended { return .suspended }
    switch phase {
    case .idle:
      phase = .busy
      return .leader
    case .open(let batch, let expected)
    where !isExclusive && waiters.isEmpty && expected < Self.limit:
      phase = .open(batch, expected: expected + 1)
      return .member(batch)
    case .open, .busy: return nil
    }
  }

  /// Resumes the waiter at once, or lets it wait.
  private func wait(_ waiter: Waiter<CommitRole>, _ isExclusive: Bool) {
    let atOnce: CommitRole? = lock.withLock {
      if Task.isCancelled { return .cancelled }
      if let role = freeRole(isExclusive) { return role }
      waiters.append(waiter)
      return nil
    }
    if let atOnce { waiter.resume(atOnce) }
  }
}
