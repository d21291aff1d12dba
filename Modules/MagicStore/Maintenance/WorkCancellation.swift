import MagicRuntime

/// Whether work is still wanted that a task waits for while another thread does it.
final class WorkCancellation: Locked, @unchecked Sendable {
  private var wasCancelled = false

  func cancel() { withLock { wasCancelled = true } }

  /// Work on the task's own thread asks the task as well.
  var isCancelled: Bool { withLock { wasCancelled } || Task.isCancelled }

  func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
