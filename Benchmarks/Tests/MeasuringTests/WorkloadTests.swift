import Testing
import Workloads

struct WorkloadTests {
  @Test func namesDiffer() {
    let names = Workload.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func stepsAreTheSameEveryTime() throws {
    for workload in Workload.all {
      let (one, other) = (workload.steps(count: 1_000), workload.steps(count: 1_000))
      #expect("\(one)" == "\(other)", "\(workload.name)")
      #expect(one.operations > 0, "\(workload.name)")
    }
  }

  @Test func singleOperationsAreTimedOnlyOnRequest() {
    let (silent, recording) = (Run(), Run(recordingLatenciesOf: 2))
    for run in [silent, recording] {
      run.end(run.begin())
      run.end(run.begin())
    }
    #expect(silent.latencies.isEmpty)
    #expect(recording.latencies.count == 2 && recording.latencies.allSatisfy { $0 < 1_000_000_000 })
  }

  @Test func objectsAreKeptOnlyOnRequest() {
    final class Object: Sendable {}
    weak var kept: Object?
    weak var dropped: Object?
    let (keeping, dropping) = (Run(keepsObjects: true), Run())
    do {
      let (one, other) = (Object(), Object())
      (kept, dropped) = (one, other)
      keeping.keep([one])
      dropping.keep([other])
    }
    withExtendedLifetime((keeping, dropping)) {
      #expect(kept != nil)
      #expect(dropped == nil)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func aWriterRepeatsUntilTheReadEnds() async throws {
    let people = PlainPerson.make(3)
    let (saves, continuation) = AsyncStream.makeStream(of: String.self)
    let saved = try await Writer(people) { continuation.yield($0.id) }.beside {
      var saved: [String] = []
      for await id in saves {
        saved.append(id)
        if saved.count == 7 { break }
      }
      return saved
    }
    #expect(saved == (people + people + people).prefix(7).map(\.id))
  }

  @Test(.timeLimit(.minutes(5)))
  func aFailedWriterFailsTheRun() async {
    struct Full: Error {}
    let (saves, continuation) = AsyncStream.makeStream(of: Void.self)
    let writer = Writer(PlainPerson.make(1)) { _ in
      continuation.yield()
      throw Full()
    }
    await #expect(throws: Full.self) {
      try await writer.beside { for await _ in saves { break } }
    }
  }

  @Test func aChecksumDependsOnTheOrderOfMembers() {
    func sum(_ ages: [Int]) -> Checksum {
      var checksum = Checksum()
      for (place, age) in ages.enumerated() {
        checksum.add(place: place + 1, id: "a", name: "b", age: age, height: 1, nickname: nil)
      }
      return checksum
    }
    #expect(sum([1, 2]) != sum([2, 1]))
  }
}
