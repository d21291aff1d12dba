import DequeModule
import Dispatch

/// A task or thread that waits in a queue.
package final class Waiter<Grant: Sendable>: @unchecked Sendable {
  /// Whether the waiter is in a queue. The lock of the queue guards this property.
  @exclusivity(unchecked) fileprivate var isWaiting = false
  private var granted: (@Sendable (Grant) -> Void)?

  /// Whether the waiter needs exclusive use of what it waits for.
  package let isExclusive: Bool

  package init(isExclusive: Bool = false) { self.isExclusive = isExclusive }

  /// Sets the function that receives the grant. Called before the waiter is shared.
  package func whenGranted(_ granted: @escaping @Sendable (Grant) -> Void) {
    self.granted = granted
  }

  /// Resumes the waiter. The caller has removed the waiter from its queue, calls this once, and
  /// holds no lock.
  package func resume(_ grant: Grant) { granted?(grant) }

  /// Suspends the task until it gets a grant.
  ///
  /// - Parameters:
  ///   - cancelled: the grant for a task that is cancelled while it waits.
  ///   - enter: resumes the waiter immediately, or adds it to the queue. It rejects a task that was
  ///     already cancelled.
  ///   - leave: removes the waiter from its queue; false if it is not in the queue.
  package func wait(
    cancelled: Grant, enter: (Waiter) -> Void, leave: @Sendable (Waiter) -> Bool
  ) async -> Grant {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        whenGranted { continuation.resume(returning: $0) }
        enter(self)
      }
    } onCancel: {
      if leave(self) { resume(cancelled) }
    }
  }

  /// Blocks the thread until it gets a grant.
  ///
  /// - Parameter enter: resumes the waiter immediately, or adds it to the queue.
  @available(*, noasync)
  package func waitBlocking(enter: (Waiter) -> Void) -> Grant {
    let granted = DispatchSemaphore(value: 0)
    let box = GrantBox()
    whenGranted {
      box.grant = $0
      granted.signal()
    }
    enter(self)
    while true {
      granted.wait()
      if let grant = box.grant { return grant }
    }
  }

  /// The same on the thread of a task, which may be cancelled. The parameters are those of
  /// ``wait(cancelled:enter:leave:)``.
  @available(*, noasync)
  package func waitBlocking(
    cancelled: Grant, enter: (Waiter) -> Void, leave: (Waiter) -> Bool
  ) -> Grant {
    let (granted, box) = (DispatchSemaphore(value: 0), GrantBox())
    whenGranted {
      box.grant = $0
      granted.signal()
    }
    enter(self)
    // Only asynchronous code can be notified of the cancellation of its task.
    let isInTask = CurrentTask.identifier != nil
    while true {
      let isOver =
        granted.wait(timeout: isInTask ? .now() + .milliseconds(20) : .distantFuture) == .success
      if isOver, let grant = box.grant { return grant }
      if !isOver, Task.isCancelled, leave(self) { return cancelled }
    }
  }

  /// Written before the semaphore is signalled, and read after the wait has returned.
  private final class GrantBox: @unchecked Sendable {
    var grant: Grant?
  }
}

/// The waiters in the order of their arrival. The lock of the queue's owner guards the queue.
///
/// A cancelled waiter leaves an empty slot, so that adding and cancelling take constant time even
/// with thousands of waiters.
package struct WaiterQueue<Grant: Sendable> {
  private var slots = Deque<Waiter<Grant>>()
  /// The number of waiters. The other slots are empty.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ waiter: Waiter<Grant>) {
    waiter.isWaiting = true
    slots.append(waiter)
    count += 1
  }

  package mutating func popFirst() -> Waiter<Grant>? {
    guard count > 0 else { return nil }
    while let waiter = slots.popFirst() {
      guard waiter.isWaiting else { continue }
      waiter.isWaiting = false
      count -= 1
      return waiter
    }
    return nil
  }

  /// The same as ``popFirst()`` if the first waiter is not exclusive; else returns nil.
  package mutating func popFirstNonexclusive() -> Waiter<Grant>? {
    while let first = slots.first, !first.isWaiting { slots.removeFirst() }
    guard let first = slots.first, !first.isExclusive else { return nil }
    return popFirst()
  }

  package mutating func popAll() -> [Waiter<Grant>] {
    let waiting: [Waiter<Grant>] = slots.filter { $0.isWaiting }
    for waiter in waiting { waiter.isWaiting = false }
    (slots, count) = ([], 0)
    return waiting
  }

  /// Removes a waiter that was cancelled.
  ///
  /// - Returns: whether it was waiting.
  package mutating func remove(_ waiter: Waiter<Grant>) -> Bool {
    guard waiter.isWaiting else { return false }
    waiter.isWaiting = false
    count -= 1
    // Removes empty slots here, because it may take long until the next waiter is popped.
    if slots.count > 2 * count + 64 { slots.removeAll { !$0.isWaiting } }
    return true
  }
}
