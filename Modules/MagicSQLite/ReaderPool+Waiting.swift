import Dispatch
import MagicRuntime

extension ReaderPool {
  /// Suspends the task until it is granted something or cancelled.
  func waitForGrant() async -> Grant {
    let waiter = Waiter<Grant>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter.whenGranted { continuation.resume(returning: $0) }
        enter(waiter)
      }
    } onCancel: {
      // A task that is cancelled before it enters is turned away there.
      if lock.withLock({ queue.remove(waiter) }) { waiter.resume(.cancelled) }
    }
  }

  /// Blocks the thread until it is granted something.
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

  /// Written before the semaphore is signalled, read after it was waited for.
  private final class GrantBox: @unchecked Sendable {
    var grant = Grant.closed
  }
}
