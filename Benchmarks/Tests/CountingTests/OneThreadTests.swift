import Foundation
import Testing

@testable import Counting

struct OneThreadTests {
  @available(macOS 15, *)
  @Test func everyTaskRunsOnTheWaitingThread() throws {
    let thread = ThreadID.current
    let others = try OneThread.run {
      var threads = [ThreadID.current]
      await Task.yield()
      threads.append(ThreadID.current)
      await withTaskGroup(of: ThreadID.self) { group in
        for _ in 0..<3 { group.addTask { ThreadID.current } }
        for await each in group { threads.append(each) }
      }
      return threads
    }
    #expect(others == Array(repeating: thread, count: 5))
  }

  @available(macOS 15, *)
  @Test func errorsOfTheBodyAreThrown() {
    #expect(throws: CancellationError.self) {
      try OneThread.run { throw CancellationError() }
    }
  }

  private struct ThreadID: Equatable, Sendable {
    let thread: ObjectIdentifier

    static var current: ThreadID { ThreadID(thread: ObjectIdentifier(Thread.current)) }
  }
}
