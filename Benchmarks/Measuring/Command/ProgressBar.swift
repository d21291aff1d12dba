import Foundation
import Workloads

/// The progress of a measurement on standard error: a bar in a terminal, a line for each part
/// otherwise.
struct ProgressBar {
  private let total: Int
  private var done = 0
  private var label = ""
  private let start = Uptime.nanoseconds
  private let isTerminal = isatty(STDERR_FILENO) != 0

  /// - Parameter total: The number of runs of all parts.
  init(total: Int) { self.total = total }

  /// Starts a part, which can have many runs.
  mutating func begin(_ name: String, _ title: String) {
    label = name
    if !isTerminal { write("running \(name) \(title)\n") }
  }

  /// Starts a run, after the end of the earlier ones.
  mutating func run(_ run: String) {
    if isTerminal {
      let seconds = Double(Uptime.nanoseconds - start) / 1e9
      let state = ProgressState(done: done, total: total, seconds: seconds)
      write("\r\u{1b}[K\(state.text) \(label), \(run)")
    }
    done += 1
  }

  /// Ends the progress bar.
  func end() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// The state of a progress bar.
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

  /// An estimate of the remaining time, as if every run took as long as the average of the earlier
  /// ones.
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
