import Foundation
import MagicRuntime

/// Whether the stores of a file are suspended, and whether they are to be: what was asked for last
/// stands.
final class FileSuspension: Locked, @unchecked Sendable {
  private var isWanted = false
  private var isDone = false
  private let turn = NSLock()

  override init() { super.init() }

  /// Whether nobody opens the file.
  var isUnderWay: Bool { withLock { isWanted || isDone } }

  /// - Parameters:
  ///   - isWanted: whether to suspend; else to resume.
  ///   - apply: does so; by one thread at a time. One that suspends resumes in the end, if that was
  ///     asked for meanwhile, so that nobody who resumes waits.
  func set(_ isWanted: Bool, _ apply: (Bool) -> Void) {
    withLock { self.isWanted = isWanted }
    while withLock({ self.isWanted != isDone }) {
      if isWanted {
        turn.lock()
      } else if !turn.try() {
        return
      }
      let next = withLock { self.isWanted == isDone ? nil : self.isWanted }
      if let next {
        apply(next)
        withLock { isDone = next }
      }
      turn.unlock()
    }
  }
}
