package import MagicRuntime

/// The running work on a whole database.
package final class RunningTasks: Locked, @unchecked Sendable {
  private var tokens: [CancellationToken] = []

  package override init() { super.init() }

  package func enter(_ token: CancellationToken) { withLock { tokens.append(token) } }
  package func leave(_ token: CancellationToken) { withLock { tokens.removeAll { $0 === token } } }

  /// Ends all of it.
  package func suspend() { for token in withLock({ tokens }) { token.suspend() } }
}
