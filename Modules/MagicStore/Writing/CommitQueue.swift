import MagicRuntime
import MagicSQLite

/// Lets writes in, so that those which come while another is committed share the next commit.
///
/// The first that comes leads: it gets the writer, begins the transaction and opens a batch. All
/// that wait by then join it, and so do those that come before the last of them has run. Then the
/// batch is committed, and the next in line leads.
///
/// A write that is to have its commit to itself joins nobody and lets nobody in. Nobody overtakes it
/// who came later.
package final class CommitQueue: @unchecked Sendable {
  private let lock = Lock()
  // Guarded by the lock, so that exclusive access needs no check at run time.
  @exclusivity(unchecked) private var phase = Phase.idle
  @exclusivity(unchecked) private var waiters = WaiterQueue<Seat>()
  @exclusivity(unchecked) private var isSuspended = false

  private enum Phase {
    /// Nobody writes.
    case idle
    /// A leader is on its way, or a batch is being committed.
    case busy
    /// A batch lets writes in; so many have been let in and have not run yet.
    case open(CommitBatch, expected: Int)
  }

  /// What a write is let in as.
  enum Seat: @unchecked Sendable {
    /// It is to open a batch and to run in it as well, unless it wants its commit to itself; and to
    /// ``leave()`` in the end.
    case leader
    /// It runs in a batch, and says so with ``didRun(in:)``.
    case member(CommitBatch)
    /// The task was cancelled while it waited.
    case cancelled
    /// Nobody is let in for a while.
    case suspended
  }

  /// The most writes that one commit waits for.
  private static let limit = 1_000

  /// How many writes wait.
  package var waitingCount: Int { lock.withLock { waiters.count } }

  /// Waits for a seat.
  ///
  /// - Parameter isExclusive: whether the write is to have its commit to itself.
  func enter(isExclusive: Bool) async -> Seat {
    if let seat = lock.withLock({ freeSeat(isExclusive) }) { return seat }
    return await Waiter<Seat>(isExclusive: isExclusive)
      .wait(cancelled: .cancelled, enter: { wait($0, isExclusive) }) { waiter in
        lock.withLock { waiters.remove(waiter) }
      }
  }

  /// The leader lets in those that wait, up to the first that wants to be alone.
  func open(_ batch: CommitBatch) {
    let joining = lock.withLock {
      var joining: [Waiter<Seat>] = []
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
  /// - Returns: whether it was the last: nobody is let in any more, and the batch is to be ended.
  func didRun(in batch: CommitBatch) -> Bool {
    lock.withLock {
      guard case .open(let open, let expected) = phase, open === batch else { return false }
      phase = expected > 1 ? .open(batch, expected: expected - 1) : .busy
      return expected <= 1
    }
  }

  /// The leader or its batch is done: the next in line leads.
  func leave() {
    let next = lock.withLock { () -> Waiter<Seat>? in
      let next = waiters.popFirst()
      phase = next == nil ? .idle : .busy
      return next
    }
    next?.resume(.leader)
  }

  /// Lets nobody in before ``resume()``; those that wait are told.
  func suspend() {
    let turnedAway = lock.withLock {
      isSuspended = true
      return waiters.popAll()
    }
    for waiter in turnedAway { waiter.resume(.suspended) }
  }

  func resume() { lock.withLock { isSuspended = false } }

  private func freeSeat(_ isExclusive: Bool) -> Seat? {
    if isSuspended { return .suspended }
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

  /// Seats at once, or enters a waiter who is resumed later.
  private func wait(_ waiter: Waiter<Seat>, _ isExclusive: Bool) {
    let atOnce: Seat? = lock.withLock {
      if Task.isCancelled { return .cancelled }
      if let seat = freeSeat(isExclusive) { return seat }
      waiters.append(waiter)
      return nil
    }
    if let atOnce { waiter.resume(atOnce) }
  }
}
