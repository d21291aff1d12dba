import MagicRuntime
import MagicSchema

/// Whether work is still wanted that a task waits for while another thread does it.
final class WorkCancellation: Locked, @unchecked Sendable {
  private var wasCancelled = false
  private var wasSuspended = false

  func cancel() { withLock { wasCancelled = true } }

  /// The store is being suspended.
  func suspend() { withLock { (wasCancelled, wasSuspended) = (true, true) } }

  /// What ends the work that is not wanted any more.
  var reason: any Error {
    withLock { wasSuspended } ? MagicError.suspended() : CancellationError()
  }

  /// Work on the task's own thread asks the task as well.
  var isCancelled: Bool { withLock { wasCancelled } || Task.isCancelled }

  func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}

/// The work on a whole database that is under way.
final class WorksUnderWay: Locked, @unchecked Sendable {
  private var works: [WorkCancellation] = []

  override init() { super.init() }

  func enter(_ work: WorkCancellation) { withLock { works.append(work) } }
  func leave(_ work: WorkCancellation) { withLock { works.removeAll { $0 === work } } }

  /// Ends all of it.
  func suspend() { for work in withLock({ works }) { work.suspend() } }
}
