import MagicFiles
import Testing

@Suite struct FileThreadsTests {
  private final class Object: Sendable {}

  /// Runs a task on the thread that resumes it, inside the call that resumes it. So the task can
  /// check which objects that thread still retains.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private final class ResumingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theThreadRetainsNeitherTheWorkNorItsResultWhenTheTaskContinues() async throws {
    try await withTaskExecutorPreference(ResumingThread()) {
      weak var captured: Object?
      weak var made: Object?
      do {
        let object = Object()
        captured = object
        let result = try await FileThreads.run {
          withExtendedLifetime(object) { Object() }
        }
        made = result
        #expect(made != nil)
        withExtendedLifetime(result) {}
      }
      #expect(captured == nil)
      #expect(made == nil)
    }
  }

  @Test func anErrorOfTheWorkIsThrown() async {
    struct Broken: Error {}
    await #expect(throws: Broken.self) { try await FileThreads.run { throw Broken() } }
  }
}
