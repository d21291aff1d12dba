import MagicRuntime
import MagicSchema

/// A thread-safe flag that cancels work on another thread.
package final class CancellationToken: Sendable {
  private enum State: Sendable { case running, cancelled, suspended }

  private let state = Mutex(State.running)
  /// Interrupts what the work waits for.
  private let interrupt = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  package func cancel() {
    state.withLock { if $0 == .running { $0 = .cancelled } }
    interrupt.withLock { $0 }?()
  }

  /// Runs a part of the work.
  ///
  /// - Parameter interrupt: called when the work is cancelled, possibly twice, and shortly after the end
  ///   of the part. It must not block.
  package func interrupting<Result>(
    _ interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    self.interrupt.withLock { $0 = interrupt }
    defer { self.interrupt.withLock { $0 = nil } }
    if state.withLock({ $0 }) != .running { interrupt() }
    return try body()
  }

  /// Cancels the work because the store is being suspended.
  package func suspend() { state.withLock { $0 = .suspended } }

  /// The error that cancelled work ends with.
  package var reason: any Error {
    state.withLock { $0 } == .suspended ? MagicError.suspended() : CancellationError()
  }

  /// Whether the work was cancelled. Also checks the current task, for work that runs on the task's
  /// own thread.
  package var isCancelled: Bool { state.withLock { $0 } != .running || Task.isCancelled }

  package func check() throws(CancellationError) {
    if isCancelled { throw CancellationError() }
  }
}
