import Dispatch
import MagicRuntime

/// Where files are read and written for tasks, so that no thread of the cooperative pool waits for
/// the disk.
package enum FileThreads {
  private static let queue = DispatchQueue(label: "MagicData.files", attributes: .concurrent)

  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let work = Work(body)
    await withCheckedContinuation { continuation in
      queue.async {
        work.run()
        continuation.resume()
      }
    }
    return try work.takeResult()
  }

  /// Runs a body that no caller waits for.
  package static func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// A body that is run once. The thread that runs it holds neither the body nor its result when the
/// task goes on: a file that the task gives up is gone at once.
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
