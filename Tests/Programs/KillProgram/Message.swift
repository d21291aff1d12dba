import Foundation

/// A line that the program writes by one call of the system, so that it is out whatever comes next.
package enum Message: Equatable, Sendable {
  /// The program has begun.
  case ready
  /// A call begins that is to change rows so; one that is to fail changes none.
  case begin([Change])
  /// The call has returned.
  case acknowledge([Change])
  /// The program ends itself at a step.
  case end(Step)
  /// The program is through with its work.
  case done
  /// Something threw that should not.
  case failure(String)

  package var line: String {
    switch self {
    case .ready: "ready"
    case .begin(let changes): "> \(changes.map(\.text).joined(separator: " "))"
    case .acknowledge(let changes): "+ \(changes.map(\.text).joined(separator: " "))"
    case .end(let step): "! \(step.name)"
    case .done: "done"
    case .failure(let text): "? \(text.replacing("\n", with: " "))"
    }
  }

  package init?(_ line: Substring) {
    let rest = line.dropFirst(2)
    switch line.prefix(2) {
    case "> ": self = .begin(rest.split(separator: " ").compactMap { Change($0) })
    case "+ ": self = .acknowledge(rest.split(separator: " ").compactMap { Change($0) })
    case "! ": self = .end(Step(String(rest)))
    case "? ": self = .failure(String(rest))
    default:
      switch line {
      case "ready": self = .ready
      case "done": self = .done
      default: return nil
      }
    }
  }

  func send() {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
