import Foundation

/// Runs the body in a task, and blocks the thread until the task ends.
func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let done = DispatchSemaphore(value: 0)
  let result = Slot<Swift.Result<Result, any Error>>()
  Task {
    do {
      result.value = .success(try await body())
    } catch {
      result.value = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let value = result.value else { throw CancellationError() }
  return try value.get()
}

/// Holds a value that one thread at a time sets later.
final class Slot<Value>: @unchecked Sendable {
  var value: Value?
}
