import Dispatch

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

  /// Runs a body that nobody waits for.
  package static func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// A body that is run once. The thread that runs it holds neither the body nor its result when the
/// task goes on: a file that the task gives up is gone at once.
private final class Work<Value: Sendable>: @unchecked Sendable {
  private var body: (@Sendable () throws -> Value)?
  private var result: Result<Value, any Error>?

  init(_ body: @escaping @Sendable () throws -> Value) { self.body = body }

  func run() {
    guard let body else { return }
    self.body = nil
    result = Result { try body() }
  }

  func takeResult() throws -> Value {
    defer { result = nil }
    return try result?.get() ?? { throw CancellationError() }()
  }
}
