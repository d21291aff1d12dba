import Foundation

/// Shows on standard error how much of a job is done, if that is a terminal.
final class Progress: Sendable {
  private let title: String
  private let output: Output
  private let shown = LockedNumber()

  init(_ title: String, output: Output = .current) {
    self.title = title
    self.output = output
  }

  /// - Parameter fraction: the part that is done, from 0 to 1.
  func show(_ fraction: Double) {
    let percent = Int((min(max(fraction, 0), 1) * 100).rounded(.down))
    guard output.drawsProgress, shown.replace(with: percent) else { return }
    output.writeMessage("\r\u{1B}[K\(title)  \(percent) %")
  }

  /// Removes the line.
  func finish() {
    if output.drawsProgress, shown.replace(with: -1) { output.writeMessage("\r\u{1B}[K") }
  }
}

/// A number that threads share.
private final class LockedNumber: @unchecked Sendable {
  private let lock = NSLock()
  private var number = -1

  /// - Returns: whether the number has changed.
  func replace(with new: Int) -> Bool {
    lock.withLock {
      defer { number = new }
      return number != new
    }
  }
}
