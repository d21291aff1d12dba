import MagicRuntime
import MagicSchema

/// Tells a thread that works for a task whether the work is still wanted.
package final class CancellationToken: Sendable {
  private enum State: Sendable { case wanted, cancelled, suspended }

  private let state = Mutex(State.wanted)

  package init() {}

  package func cancel() { state.withLock { if $0 == .wanted { $0 = .cancelled } } }

  /// The store is being suspended.
  package func suspend() { state.withLock { $0 = .suspended } }

  /// The error that work ends with once it is not wanted.
  package var reason: any Error {
    state.withLock { $0 } == .suspended ? MagicError.suspended() : CancellationError()
  }

  /// Work on the task's own thread asks the task as well.
  package var isCancelled: Bool { state.withLock { $0 } != .wanted || Task.isCancelled }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
