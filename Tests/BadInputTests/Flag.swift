import Foundation

/// Is raised once. Tasks ask for it, threads wait for it.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var wasRaised = false

  var isRaised: Bool { lock.withLock { wasRaised } }

  func raise() { lock.withLock { wasRaised = true } }

  /// Blocks until it is raised, a minute at most.
  func wait() {
    for _ in 0..<12_000 where !isRaised { Thread.sleep(forTimeInterval: 0.005) }
  }

  /// Whether it is raised within a minute.
  var isRaisedSoon: Bool {
    get async {
      for _ in 0..<6_000 where !isRaised { try? await Task.sleep(nanoseconds: 10_000_000) }
      return isRaised
    }
  }
}
