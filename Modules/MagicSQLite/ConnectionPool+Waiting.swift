import MagicRuntime

extension ConnectionPool {
  /// Suspends the task until it gets a grant or is cancelled.
  func waitForGrant() async -> Grant {
    await Waiter<Grant>().wait(cancelled: .cancelled, enter: { enter($0) }) { leave($0) }
  }

  /// Blocks the thread until it gets a grant.
  @available(*, noasync)
  func waitForGrantBlocking() -> Grant { Waiter<Grant>().waitBlocking { enter($0) } }
}
