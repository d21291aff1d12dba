import Logging
import MagicTestSupport
import Testing

@Suite struct RecorderTests {
  @Test func eventsAreInTheirOrderUntilTheyAreCleared() {
    let recorder = Recorder<Int>()
    for number in [3, 1, 2] { recorder.note(number) }
    #expect(recorder.all == [3, 1, 2] && recorder.count == 3)
    recorder.clear()
    #expect(recorder.all == [])
  }

  @Test func workIsTheStatementsThatReadOrWriteRows() {
    let recorder = Recorder<String>()
    let work = ["SELECT 1", "INSERT INTO t VALUES (1)", "DELETE FROM t"]
    for line in ["BEGIN"] + work + ["PRAGMA user_version", "-- trigger", "ROLLBACK", "COMMIT"] {
      recorder.note(line)
    }
    #expect(recorder.work == work)
    #expect(recorder.writes == Array(work.dropFirst()))
    #expect(recorder.contains("user_version") && !recorder.contains("UPDATE"))
  }

  @Test func messagesOfTheLoggerAreRecorded() {
    let recorder = Recorder<String>()
    recorder.logger().trace("a", metadata: ["b": "c"])
    recorder.logger(level: .info).debug("not recorded")
    recorder.logger(withMetadata: true).error("d", metadata: ["e": "f"])
    #expect(recorder.all.first == "a" && recorder.count == 2)
    #expect(recorder.all.last?.hasPrefix("d [") == true)
    #expect(recorder.all.last?.contains("f") == true)
  }
}

@Suite struct EventuallyTests {
  @Test func eventuallyWaitsForACondition() async {
    let flag = Flag()
    Task.detached {
      try? await Task.sleep(for: .milliseconds(20))
      flag.set()
    }
    #expect(await eventually { flag.isSet })
  }

  @Test func aCancelledTaskDoesNotWait() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await eventually { false }
    }
    #expect(await task.value == false)
  }
}

@Suite struct SeededRandomTests {
  @Test func equalSeedsGiveEqualNumbers() {
    func numbers(_ seed: UInt64) -> [Int] {
      var random = SeededRandom(seed)
      return (0..<20).map { _ in random.below(1_000) }
    }
    #expect(numbers(7) == numbers(7))
    #expect(numbers(7) != numbers(8))
    #expect(numbers(7).allSatisfy { (0..<1_000).contains($0) })
  }
}
