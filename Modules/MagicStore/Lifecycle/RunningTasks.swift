import MagicRuntime

/// The running work on a whole database.
final class RunningTasks: Locked, @unchecked Sendable {
  private var tokens: [CancellationToken] = []

  override init() { super.init() }

  func enter(_ token: CancellationToken) { withLock { tokens.append(token) } }
  func leave(_ token: CancellationToken) { withLock { tokens.removeAll { $0 === token } } }

  /// Ends all of it.
  func suspend() { for token in withLock({ tokens }) { token.suspend() } }
}
