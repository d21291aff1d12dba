package import MagicRuntime
import MagicSchema
import SQLiteTables

/// Tells a thread that works for a task whether the work is still wanted.
package final class CancellationToken: Locked, @unchecked Sendable {
  private var wasCancelled = false
  private var wasSuspended = false

  package func cancel() { withLock { wasCancelled = true } }

  /// The store is being suspended.
  func suspend() { withLock { (wasCancelled, wasSuspended) = (true, true) } }

  /// The error that work ends with once it is not wanted.
  package var reason: any Error {
    withLock { wasSuspended } ? MagicError.suspended() : CancellationError()
  }

  /// Work on the task's own thread asks the task as well.
  package var isCancelled: Bool { withLock { wasCancelled } || Task.isCancelled }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
