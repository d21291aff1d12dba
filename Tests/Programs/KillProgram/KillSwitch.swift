import Foundation
import MagicRuntime

/// Ends the program as a loss of power would, with no chance to tidy up: at the step that it waits
/// for, for the nth time.
final class KillSwitch: Locked, @unchecked Sendable {
  private let step: Step?
  private var countdown: Int
  private var isWriting = false
  private var hasCommitted = false
  /// Called where a transaction that writes is about to be committed.
  nonisolated(unsafe) var willCommit: () -> Void = {}
  /// Called at the first step after that.
  nonisolated(unsafe) var didCommit: () -> Void = {}

  init(at step: Step?, _ count: Int) {
    self.step = step
    countdown = count
    super.init()
  }

  /// The program has come to a step.
  func pass(_ step: Step) {
    notice()
    count(step)
  }

  /// Sees the SQL of every statement before it runs.
  func trace(_ sql: String) {
    if step == .statement { count(.statement, sql) }
    switch sql {
    case "BEGIN IMMEDIATE":
      withLock { isWriting = true }
    case "ROLLBACK":
      withLock { isWriting = false }
    case "COMMIT" where withLock({ isWriting }):
      willCommit()
      count(.beforeCommit)
      withLock {
        isWriting = false
        hasCommitted = true
      }
    default: break
    }
  }

  /// What comes after a commit is the first that shows that it is over.
  func notice() {
    let isFirst = withLock {
      defer { hasCommitted = false }
      return hasCommitted
    }
    guard isFirst else { return }
    count(.afterCommit)
    didCommit()
  }

  private func count(_ step: Step, _ sql: String? = nil) {
    let isDue = withLock {
      guard self.step == step || self.step == .any else { return false }
      countdown -= 1
      return countdown == 0
    }
    guard isDue else { return }
    if let sql { Message.statement(sql).send() }
    Message.end(step).send()
    kill(getpid(), SIGKILL)
    while true { pause() }
  }
}
