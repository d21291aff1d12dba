import MagicEngine
import MagicRuntime
import MagicSchema

/// The state of one handle on a database: whether it is closed, and the number of running writes of
/// tasks. The close of the handle waits until no write is running.
final class StoreHandle: Sendable {
  private struct State: Sendable {
    var isClosed = false
    var writes = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// - Throws: `MagicError` with `.closed`.
  func checkOpen() throws {
    if isClosed { throw MagicError.closed() }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes the handle.
  ///
  /// - Returns: whether it was open.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  /// Registers the start of a write. ``endWrite()`` registers its end.
  ///
  /// - Throws: `MagicError` with `.closed`. The write is not registered then.
  func beginWrite() throws {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.writes += 1 }
      return !state.isClosed
    }
    guard isOpen else { throw MagicError.closed() }
  }

  func endWrite() {
    let waiters = state.withLock { state in
      state.writes -= 1
      guard state.writes == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until no write is running.
  func writesEnded() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.writes > 0 { state.waiters.append(continuation) }
        return state.writes == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
