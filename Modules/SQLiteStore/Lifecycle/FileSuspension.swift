import Foundation
import MagicRuntime

/// Whether the stores of a file are suspended, and whether they are to be: what was asked for last
/// stands.
final class FileSuspension: Sendable {
  private struct State: Sendable {
    var isWanted = false
    var isDone = false
  }

  private let state = Mutex(State())
  /// Held by the one thread that suspends or resumes.
  private let turn = NSLock()

  /// Whether the file may not be opened.
  var isActive: Bool { state.withLock { $0.isWanted || $0.isDone } }

  /// - Parameters:
  ///   - isWanted: whether to suspend; else to resume.
  ///   - apply: does so; by one thread at a time. One that suspends resumes in the end, if that was
  ///     asked for meanwhile, so that a thread that resumes never waits.
  func set(_ isWanted: Bool, _ apply: (Bool) -> Void) {
    state.withLock { $0.isWanted = isWanted }
    while state.withLock({ $0.isWanted != $0.isDone }) {
      if isWanted {
        turn.lock()
      } else if !turn.try() {
        return
      }
      let next = state.withLock { $0.isWanted == $0.isDone ? nil : $0.isWanted }
      if let next {
        apply(next)
        state.withLock { $0.isDone = next }
      }
      turn.unlock()
    }
  }
}
