import Foundation
import MagicRuntime

/// Kills the program, without any cleanup, when it reaches a step for the nth time.
final class KillSwitch: Locked, @unchecked Sendable {
  private let step: Step?
  private var countdown: Int
  private var isWriting = false
  private var hasCommitted = false
  /// Called before a transaction that writes is committed.
  nonisolated(unsafe) var willCommit: () -> Void = {}
  /// Called at the first step after that commit.
  nonisolated(unsafe) var didCommit: () -> Void = {}

  init(at step: Step?, _ count: Int) {
    self.step = step
    countdown = count
    super.init()
  }

  /// Records that the program has reached a step.
  func pass(_ step: Step) {
    reportCommit()
    count(step)
  }

  /// Records that a statement is about to run.
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

  /// Reports a finished commit: SQLite announces only its start, so its end is noticed at the next
  /// step.
  func reportCommit() {
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
