import Foundation

/// Runs tasks one after the other on the waiting thread: counts during the run include only these
/// tasks, and are the same in every run.
@available(macOS 15, *)
package final class OneThread: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init() { jobs.reserveCapacity(64) }

  /// Blocks until the body has ended.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let thread = OneThread()
    let outcome = Outcome<Result>()
    Task(executorPreference: thread) {
      do {
        outcome.result = .success(try await body())
      } catch {
        outcome.result = .failure(error)
      }
    }
    while true {
      if let result = outcome.result { return try result.get() }
      thread.next().runSynchronously(on: thread.asUnownedTaskExecutor())
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  private func next() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeFirst()
    }
  }

  /// The result, which only one thread accesses.
  private final class Outcome<Result: Sendable>: @unchecked Sendable {
    var result: Swift.Result<Result, any Error>?
  }
}
