import MagicRuntime

/// Counts the writes of a database that have begun and not ended.
final class InFlightWrites: Locked, @unchecked Sendable {
  private var count = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func begin() { withLock { count += 1 } }

  func end() {
    let waiters = withLock {
      count -= 1
      guard count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { self.waiters = [] }
      return self.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until there is none.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isIdle = withLock {
        if count > 0 { waiters.append(continuation) }
        return count == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
