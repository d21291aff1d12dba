import Foundation

/// A thread that runs the jobs of one actor, in their order. Statements block it, and never a thread
/// of the cooperative pool.
///
/// The thread starts with the first job, and ends when the executor is deallocated.
package final class ConnectionThread: SerialExecutor {
  private let queue = Queue()

  /// The state that the thread shares with the executor. The thread does not retain the executor.
  private final class Queue: @unchecked Sendable {
    let condition = NSCondition()
    var jobs: [UnownedJob] = []
    var isStarted = false
    var isWaiting = false
    var hasEnded = false

    /// Waits for jobs; nil at the end.
    func take() -> [UnownedJob]? {
      condition.lock()
      defer { condition.unlock() }
      while jobs.isEmpty, !hasEnded {
        isWaiting = true
        condition.wait()
      }
      isWaiting = false
      guard !jobs.isEmpty else { return nil }
      defer { jobs = [] }
      return jobs
    }
  }

  package init() {}

  deinit {
    queue.condition.lock()
    queue.hasEnded = true
    queue.condition.signal()
    queue.condition.unlock()
  }

  package func enqueue(_ job: UnownedJob) {
    queue.condition.lock()
    queue.jobs.append(job)
    let mustStart = !queue.isStarted
    // The thread is woken after the lock, which it would wait for. Meanwhile the job may have run, and may
    // have released the executor.
    let waiting = queue.isWaiting ? Unmanaged.passRetained(queue.condition) : nil
    (queue.isStarted, queue.isWaiting) = (true, false)
    queue.condition.unlock()
    waiting?.takeRetainedValue().signal()
    if mustStart { start() }
  }

  private func start() {
    let executor = asUnownedSerialExecutor()
    let thread = Thread { [queue] in
      while let jobs = queue.take() {
        for job in jobs { job.runSynchronously(on: executor) }
      }
    }
    thread.name = "MagicData database"
    // Bodies of users run here, with the stack of a main thread.
    thread.stackSize = 8 << 20
    thread.start()
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// An actor whose code runs on a thread of its own.
package actor ThreadActor {
  private let thread = ConnectionThread()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  package init() {}

  /// Runs a body on the thread.
  package func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try body()
  }
}
