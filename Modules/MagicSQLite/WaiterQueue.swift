import DequeModule

/// One who waits for its turn.
package final class Waiter<Grant: Sendable>: @unchecked Sendable {
  /// Whether it stands in a queue; guarded by the lock that guards the queue.
  @exclusivity(unchecked) fileprivate var isWaiting = false
  private var granted: (@Sendable (Grant) -> Void)?

  /// Whether it is to have what it waits for to itself.
  package let isExclusive: Bool

  package init(isExclusive: Bool = false) { self.isExclusive = isExclusive }

  /// Says what to call with the grant; before the waiter is shared.
  package func whenGranted(_ granted: @escaping @Sendable (Grant) -> Void) {
    self.granted = granted
  }

  /// Called once, by who took the waiter from its queue, outside of every lock.
  package func resume(_ grant: Grant) { granted?(grant) }

  /// Suspends the task until it is granted something.
  ///
  /// - Parameters:
  ///   - cancelled: what it is granted when the task is cancelled while it waits.
  ///   - enter: grants at once, or puts the waiter into its queue; a task that is cancelled by then
  ///     is turned away there.
  ///   - leave: takes the waiter out of its queue; false where it is not there.
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
}

/// Those who wait, in the order they came. Guarded by its owner's lock.
///
/// Who gives up leaves its place empty, so that thousands may come and go in constant time each.
package struct WaiterQueue<Grant: Sendable> {
  private var places = Deque<Waiter<Grant>>()
  /// How many wait; the other places are empty.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ waiter: Waiter<Grant>) {
    waiter.isWaiting = true
    places.append(waiter)
    count += 1
  }

  package mutating func popFirst() -> Waiter<Grant>? {
    guard count > 0 else { return nil }
    while let waiter = places.popFirst() {
      guard waiter.isWaiting else { continue }
      waiter.isWaiting = false
      count -= 1
      return waiter
    }
    return nil
  }

  /// Like ``popFirst()``, where that one is content with company; else nil.
  package mutating func popFirstSharing() -> Waiter<Grant>? {
    while let first = places.first, !first.isWaiting { places.removeFirst() }
    guard let first = places.first, !first.isExclusive else { return nil }
    return popFirst()
  }

  package mutating func popAll() -> [Waiter<Grant>] {
    let waiting: [Waiter<Grant>] = places.filter { $0.isWaiting }
    for waiter in waiting { waiter.isWaiting = false }
    (places, count) = ([], 0)
    return waiting
  }

  /// Takes out one who gave up.
  ///
  /// - Returns: whether it was waiting.
  package mutating func remove(_ waiter: Waiter<Grant>) -> Bool {
    guard waiter.isWaiting else { return false }
    waiter.isWaiting = false
    count -= 1
    // Nobody may come to take the empty places away for long.
    if places.count > 2 * count + 64 { places.removeAll { !$0.isWaiting } }
    return true
  }
}
