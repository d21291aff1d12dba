import Dispatch

/// Where files are read and written for tasks, so that no thread of the cooperative pool waits for
/// the disk.
package enum FileThreads {
  private static let queue = DispatchQueue(label: "MagicData.files", attributes: .concurrent)

  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let work = Work(body)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: work.run()) }
    }
  }

  /// Runs a body that nobody waits for.
  package static func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// A body that is run once, and let go of before its task goes on: a file that a cancelled task was
/// writing is gone when the task is.
private final class Work<Value: Sendable>: @unchecked Sendable {
  private var body: (@Sendable () throws -> Value)?

  init(_ body: @escaping @Sendable () throws -> Value) { self.body = body }

  func run() -> Result<Value, any Error> {
    guard let body else { return .failure(CancellationError()) }
    self.body = nil
    return Result { try body() }
  }
}
