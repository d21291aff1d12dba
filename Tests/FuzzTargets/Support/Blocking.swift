import Dispatch
import MagicRuntime

/// Runs an asynchronous closure and blocks until it ends, because targets run outside of tasks.
func blocking<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let outcome = Outcome<Result>()
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      outcome.set(.success(try await body()))
    } catch {
      outcome.set(.failure(error))
    }
    isDone.signal()
  }
  isDone.wait()
  guard let result = outcome.result else { throw Finding("a task has no outcome") }
  return try result.get()
}

private final class Outcome<Value: Sendable>: Locked, @unchecked Sendable {
  private var value: Result<Value, any Error>?

  var result: Result<Value, any Error>? { withLock { value } }

  func set(_ result: Result<Value, any Error>) { withLock { value = result } }
}
