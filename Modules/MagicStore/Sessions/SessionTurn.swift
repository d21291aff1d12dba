import Dispatch
import MagicRuntime

/// Lets the commits of a session run one after the other, in the order of their calls. A commit that
/// waits therefore knows whether earlier commits succeeded.
final class SessionTurn: Sendable {
  private enum Grant: Sendable { case turn, cancelled }

  private struct State: Sendable {
    var isTaken = false
    var waiters = WaiterQueue<Grant>()
  }

  private let state = Mutex(State())

  /// Suspends the task until no other commit runs. The caller calls ``end()`` after its commit.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  func begin() async throws {
    let grant = await Waiter<Grant>().wait(
      cancelled: .cancelled, enter: { enter($0, isCancelled: Task.isCancelled) }
    ) { waiter in state.withLock { $0.waiters.remove(waiter) } }
    if grant == .cancelled { throw CancellationError() }
  }

  /// Blocks the thread until no other commit runs.
  @available(*, noasync)
  func beginBlocking() {
    let granted = DispatchSemaphore(value: 0)
    let waiter = Waiter<Grant>()
    waiter.whenGranted { _ in granted.signal() }
    enter(waiter, isCancelled: false)
    granted.wait()
  }

  private func enter(_ waiter: Waiter<Grant>, isCancelled: Bool) {
    let grant = state.withLock { state -> Grant? in
      if isCancelled { return .cancelled }
      guard state.isTaken else {
        state.isTaken = true
        return .turn
      }
      state.waiters.append(waiter)
      return nil
    }
    if let grant { waiter.resume(grant) }
  }

  func end() {
    let next = state.withLock { state in
      let next = state.waiters.popFirst()
      state.isTaken = next != nil
      return next
    }
    next?.resume(.turn)
  }
}
