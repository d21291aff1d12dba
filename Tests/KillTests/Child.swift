import Foundation
import KillProgram
import MagicTestSupport

/// A run of the program, and its output.
struct Child {
  /// The changes of each acknowledged call, in order.
  private(set) var acknowledged: [[Change]] = []
  /// The changes of each call that had begun and was not acknowledged.
  private(set) var pending: [[Change]] = []
  /// The step at which the program killed itself.
  private(set) var step: Step?
  /// The statement before which the program killed itself.
  private(set) var statement: String?
  private(set) var isDone = false
  /// The number of acknowledged calls when a copy began; nil if none began.
  private(set) var acknowledgedBeforeCopy: Int?
  private(set) var hasCopied = false
  /// The number of the first record whose import was not acknowledged.
  private(set) var nextRecord = 1
  /// A description of an unexpected event.
  private(set) var failure: String?

  /// - Parameter delay: The milliseconds until the test kills the program; nil if it kills itself.
  init(_ arguments: Arguments, killedAfter delay: Int?) throws {
    try self.init(arguments) { started in
      guard let delay else { return }
      started.read(lines: 1)
      usleep(UInt32(delay) * 1_000)
      started.kill()
    }
  }

  /// - Parameter meanwhile: A closure that is called while the program runs.
  init(_ arguments: Arguments, meanwhile: (StartedChild) throws -> Void) throws {
    let started = try StartedChild("KillProgram", arguments.words)
    let result = Result { try meanwhile(started) }
    let (output, status) = started.end()
    try result.get()
    note(output)
    if let status, !isDone { failure = failure ?? "the program exited with status \(status)" }
  }

  private mutating func note(_ output: Data) {
    // The last line can be incomplete: its write was interrupted, so it is ignored.
    let lines = String(decoding: output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for line in lines {
      switch Message(line) {
      case .ready: break
      case .copying: acknowledgedBeforeCopy = acknowledged.count
      case .copied: hasCopied = true
      case .imported(let next): nextRecord = max(nextRecord, next)
      case .begin(let calls): pending = calls
      case .acknowledge(let changes):
        acknowledged.append(changes)
        guard let call = pending.firstIndex(of: changes) else {
          failure = "the program acknowledged a call that had not begun: \(line)"
          break
        }
        pending.remove(at: call)
      case .statement(let sql): statement = sql
      case .end(let step): self.step = step
      case .done: isDone = true
      case .failure(let text): failure = text
      case nil: failure = "the program wrote an unknown line: \(line)"
      }
    }
  }
}
