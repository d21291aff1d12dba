import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Shows the progress of a job on standard error: a line that is redrawn on a terminal, or plain
/// lines at intervals otherwise.
struct ProgressBar {
  private let title: String
  private let isDrawn: Bool
  private let stopwatch = Stopwatch()
  private var lastShown = 0.0
  private var isOnScreen = false

  init(_ title: String) {
    self.init(title, isDrawn: Self.canDraw)
  }

  init(_ title: String, isDrawn: Bool) {
    self.title = title
    self.isDrawn = isDrawn
  }

  /// - Parameter fraction: The completed fraction, from 0 to 1.
  mutating func show(_ fraction: Double, _ note: String) {
    let interval = isDrawn ? 0.05 : 2
    guard stopwatch.seconds - lastShown >= interval else { return }
    lastShown = stopwatch.seconds
    if isDrawn {
      Console.writeError(Self.clearLine + line(fraction, note))
      isOnScreen = true
    } else {
      Console.writeError("\(title): \(Self.percent(fraction)), \(note)\n")
    }
  }

  /// Writes a permanent line, above the bar if there is one.
  mutating func log(_ message: String) {
    finish()
    Console.writeError(message + "\n")
  }

  /// Removes the bar from the screen.
  mutating func finish() {
    guard isOnScreen else { return }
    Console.writeError(Self.clearLine)
    isOnScreen = false
  }

  func line(_ fraction: Double, _ note: String) -> String {
    let width = 24
    let done = Int((Self.clamped(fraction) * Double(width)).rounded())
    let bar = String(repeating: "=", count: done) + String(repeating: " ", count: width - done)
    return "\(title) [\(bar)] \(Self.percent(fraction).rightAligned(to: 5))  \(note)"
  }

  private static let clearLine = "\r\u{1B}[K"

  // Requires a terminal for standard output too, so that no bar is drawn for redirected reports.
  private static var canDraw: Bool { isatty(STDERR_FILENO) != 0 && Console.isTerminal }

  private static func percent(_ fraction: Double) -> String {
    "\(Int((clamped(fraction) * 100).rounded())) %"
  }

  private static func clamped(_ fraction: Double) -> Double { min(max(fraction, 0), 1) }
}

/// Measures seconds with a monotonic clock.
struct Stopwatch {
  private let start = ProcessInfo.processInfo.systemUptime

  var seconds: Double { ProcessInfo.processInfo.systemUptime - start }
}
