import Dispatch
import MagicRuntime

/// The threads on which files are read and written for tasks, so that disk access does not block a
/// thread of the cooperative pool.
package enum FileThreads {
  private static let queue = DispatchQueue(label: "MagicData.files", attributes: .concurrent)

  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let work = Work(body)
    let isCancelled = Mutex(false)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          $isTaskCancelled.withValue(isCancelled) { work.run() }
          continuation.resume()
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try work.takeResult()
  }

  /// Whether the task was cancelled for which the body runs.
  @TaskLocal private static var isTaskCancelled: Mutex<Bool>?

  /// Whether the task was cancelled that the thread runs, or for which it runs a body.
  package static var isCancelled: Bool {
    Task.isCancelled || isTaskCancelled?.withLock { $0 } == true
  }

  /// Starts a body and returns immediately.
  package static func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// A body that runs once. After it has run, the thread retains neither the body nor the result.
/// Otherwise a file that the task releases could remain open until the thread releases it too.
private final class Work<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case body(@Sendable () throws -> Value)
    case result(Result<Value, any Error>)
    case taken
  }

  private let state: Mutex<State>

  init(_ body: @escaping @Sendable () throws -> Value) { state = Mutex(.body(body)) }

  func run() {
    guard case .body(let body) = take() else { return }
    let result = Result { try body() }
    state.withLock { $0 = .result(result) }
  }

  func takeResult() throws -> Value {
    guard case .result(let result) = take() else { throw CancellationError() }
    return try result.get()
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = .taken }
      return state
    }
  }
}
