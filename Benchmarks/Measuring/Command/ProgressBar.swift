import Foundation
import Workloads

/// How far a measurement is, on standard error: a bar in a terminal, a line for each part elsewhere.
struct ProgressBar {
  private let total: Int
  private var done = 0
  private var label = ""
  private let start = Uptime.nanoseconds
  private let isTerminal = isatty(STDERR_FILENO) != 0

  /// - Parameter total: the runs of all parts.
  init(total: Int) { self.total = total }

  /// A part begins, of which there may be many runs.
  mutating func begin(_ name: String, _ title: String) {
    label = name
    if !isTerminal { write("running \(name) \(title)\n") }
  }

  /// A run begins; those before are done.
  mutating func run(_ run: String) {
    if isTerminal {
      let seconds = Double(Uptime.nanoseconds - start) / 1e9
      let state = ProgressState(done: done, total: total, seconds: seconds)
      write("\r\u{1b}[K\(state.text) \(label), \(run)")
    }
    done += 1
  }

  /// Everything is done.
  func end() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// What a progress bar shows at a moment.
struct ProgressState {
  let done: Int
  let total: Int
  let seconds: Double

  var text: String {
    let width = 24
    let filled = total > 0 ? min(width, width * done / total) : 0
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "[\(bar)] \(Self.time(seconds))\(left)"
  }

  /// As if every run took as long as those before: short and long workloads make it a guess.
  private var left: String {
    guard done > 0, total > done else { return "" }
    return ", about \(Self.time(seconds / Double(done) * Double(total - done))) left"
  }

  static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    guard whole >= 60 else { return "\(whole)s" }
    return "\(whole / 60)m\(whole % 60 < 10 ? "0" : "")\(whole % 60)s"
  }
}
