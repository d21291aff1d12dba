import Foundation
import KillProgram
import MagicTestSupport

/// One run of the program.
struct Child {
  /// The effects that were acknowledged, in order.
  private(set) var acknowledged: [[Change]] = []
  /// The effects of the calls that had begun and were not acknowledged.
  private(set) var pending: [[Change]] = []
  /// The step at which it ended itself.
  private(set) var step: Step?
  /// The statement before which it did so.
  private(set) var statement: String?
  private(set) var isDone = false
  /// How many calls were acknowledged when a copy began; nil where none did.
  private(set) var acknowledgedBeforeCopy: Int?
  private(set) var hasCopied = false
  /// What should not have happened.
  private(set) var failure: String?

  /// - Parameter delay: after how many milliseconds it is killed; nil for one that ends itself.
  init(_ arguments: Arguments, killedAfter delay: Int?) throws {
    try self.init(arguments) { started in
      guard let delay else { return }
      started.read(lines: 1)
      usleep(UInt32(delay) * 1_000)
      started.kill()
    }
  }

  /// - Parameter meanwhile: what is done while it runs.
  init(_ arguments: Arguments, meanwhile: (StartedChild) throws -> Void) throws {
    let started = try StartedChild("KillProgram", arguments.words)
    let result = Result { try meanwhile(started) }
    let (output, status) = started.end()
    try result.get()
    note(output)
    if let status, !isDone { failure = failure ?? "it ended with \(status)" }
  }

  private mutating func note(_ output: Data) {
    // The last line may be cut off: then its writing was not over, and it says nothing.
    let lines = String(decoding: output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for line in lines {
      switch Message(line) {
      case .ready: break
      case .copying: acknowledgedBeforeCopy = acknowledged.count
      case .copied: hasCopied = true
      case .begin(let calls): pending = calls
      case .acknowledge(let changes):
        acknowledged.append(changes)
        guard let call = pending.firstIndex(of: changes) else {
          failure = "it acknowledged what it had not begun: \(line)"
          break
        }
        pending.remove(at: call)
      case .statement(let sql): statement = sql
      case .end(let step): self.step = step
      case .done: isDone = true
      case .failure(let text): failure = text
      case nil: failure = "it wrote: \(line)"
      }
    }
  }
}
