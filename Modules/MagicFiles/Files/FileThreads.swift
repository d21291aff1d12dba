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

  /// Runs a body that nobody waits for.
  package static func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// A body that is run once. The thread that runs it holds neither the body nor its result when the
/// task goes on: a file that the task gives up is gone at once.
private final class Work<Value: Sendable>: Locked, @unchecked Sendable {
  private var body: (@Sendable () throws -> Value)?
  private var result: Result<Value, any Error>?

  init(_ body: @escaping @Sendable () throws -> Value) {
    self.body = body
    super.init()
  }

  func run() {
    let body = withLock {
      defer { self.body = nil }
      return self.body
    }
    guard let body else { return }
    let result = Result { try body() }
    withLock { self.result = result }
  }

  func takeResult() throws -> Value {
    let result = withLock {
      defer { self.result = nil }
      return self.result
    }
    return try result?.get() ?? { throw CancellationError() }()
  }
}
