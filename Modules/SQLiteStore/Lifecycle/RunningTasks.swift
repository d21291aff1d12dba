import MagicEngine
import MagicRuntime
import SQLiteEngine

/// The running tasks on an entire database.
final class RunningTasks: Sendable {
  private let tokens = Mutex<[CancellationToken]>([])

  /// Runs the body. ``suspend()`` cancels it through its token.
  func run<Result>(
    _ token: CancellationToken, _ body: (CancellationToken) throws -> Result
  ) rethrows -> Result {
    tokens.withLock { $0.append(token) }
    defer { tokens.withLock { tokens in tokens.removeAll { $0 === token } } }
    return try body(token)
  }

  /// Cancels all running tasks.
  func suspend() { for token in tokens.withLock({ $0 }) { token.suspend() } }
}
