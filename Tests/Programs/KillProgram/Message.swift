import Foundation

/// A line that the program writes with a single system call, so that it is written before any kill.
package enum Message: Equatable, Sendable {
  /// The program has started.
  case ready
  /// Concurrent calls begin, with the changes of each; a call that is to fail has none.
  case begin([[Change]])
  /// A call has returned.
  case acknowledge([Change])
  /// A copy begins.
  case copying
  /// A copy is complete.
  case copied
  /// The records before one are imported.
  case imported(Int)
  /// The program kills itself before a statement.
  case statement(String)
  /// The program kills itself at a step.
  case end(Step)
  /// The program has finished its work.
  case done
  /// An unexpected error was thrown.
  case failure(String)

  package var line: String {
    switch self {
    case .ready: "ready"
    case .copying: "copying"
    case .copied: "copied"
    case .begin(let calls): "> \(calls.map(Self.text).joined(separator: "|"))"
    case .acknowledge(let changes): "+ \(Self.text(changes))"
    case .imported(let next): "* \(next)"
    case .statement(let sql): "= \(sql.replacing("\n", with: " "))"
    case .end(let step): "! \(step.name)"
    case .done: "done"
    case .failure(let text): "? \(text.replacing("\n", with: " "))"
    }
  }

  package init?(_ line: Substring) {
    let rest = line.dropFirst(2)
    switch line.prefix(2) {
    case "> ":
      self = .begin(
        rest.split(separator: "|", omittingEmptySubsequences: false).map(Self.changes))
    case "+ ": self = .acknowledge(Self.changes(rest))
    case "* ":
      guard let next = Int(rest) else { return nil }
      self = .imported(next)
    case "= ": self = .statement(String(rest))
    case "! ": self = .end(Step(String(rest)))
    case "? ": self = .failure(String(rest))
    default:
      switch line {
      case "ready": self = .ready
      case "copying": self = .copying
      case "copied": self = .copied
      case "done": self = .done
      default: return nil
      }
    }
  }

  private static func text(_ changes: [Change]) -> String {
    changes.map(\.text).joined(separator: " ")
  }

  private static func changes(_ text: Substring) -> [Change] {
    text.split(separator: " ").compactMap { Change($0) }
  }

  func send() {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
