import Dispatch
import MagicRuntime

extension ConnectionPool {
  /// Suspends the task until it gets a grant or is cancelled.
  func waitForGrant() async -> Grant {
    await Waiter<Grant>().wait(cancelled: .cancelled, enter: { enter($0) }) { leave($0) }
  }

  /// Blocks the thread until it gets a grant.
  @available(*, noasync)
  func waitForGrantBlocking() -> Grant {
    let granted = DispatchSemaphore(value: 0)
    let box = GrantBox()
    let waiter = Waiter<Grant>()
    waiter.whenGranted {
      box.grant = $0
      granted.signal()
    }
    enter(waiter)
    granted.wait()
    return box.grant
  }

  /// Written before the semaphore is signalled, and read after the wait has returned.
  private final class GrantBox: @unchecked Sendable {
    var grant = Grant.closed
  }
}
