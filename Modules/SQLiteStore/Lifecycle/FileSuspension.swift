import Foundation
import MagicRuntime

/// The actual and the requested state of an open file: suspended or not. A later request
/// replaces an earlier one.
final class FileSuspension: Sendable {
  private struct State: Sendable {
    var isWanted = false
    var isDone = false
  }

  private let state = Mutex(State())
  /// Held by the one thread that suspends or resumes.
  private let applyLock = NSLock()

  /// Whether the file must not be opened.
  var isActive: Bool { state.withLock { $0.isWanted || $0.isDone } }

  /// Requests a state, and applies it.
  ///
  /// - Parameters:
  ///   - isWanted: true to suspend, false to resume.
  ///   - apply: changes the state. Only one thread calls it at a time. A thread that suspends also
  ///     resumes if that was requested meanwhile, so that a thread that resumes never waits.
  func set(_ isWanted: Bool, _ apply: (Bool) -> Void) {
    state.withLock { $0.isWanted = isWanted }
    while state.withLock({ $0.isWanted != $0.isDone }) {
      if isWanted {
        applyLock.lock()
      } else if !applyLock.try() {
        return
      }
      let next = state.withLock { $0.isWanted == $0.isDone ? nil : $0.isWanted }
      if let next {
        apply(next)
        state.withLock { $0.isDone = next }
      }
      applyLock.unlock()
    }
  }
}
