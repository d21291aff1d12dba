import ArgumentParser
import Foundation
import Synchronization
import Testing
import Workloads

@testable import Measuring

struct ResultTests {
  @Test func ratiosAreOfAdjacentRuns() {
    let result = WorkloadResult(
      name: "W1", title: "", durability: .full, operations: 2, target: nil,
      engines: [
        EngineResult(engine: "C", seconds: [1, 2, 4], peak: nil),
        EngineResult(engine: "M", seconds: [3, 2, 8], peak: nil),
      ])
    #expect(result.ratios(of: "M") == Spread([3, 1, 2]))
    #expect(result.ratios(of: "other") == nil)
    #expect(result.nanoseconds(result.engines[0]) == 1e9)
  }

  @Test func aTargetIsMetIfTheMedianIsNotAboveIt() {
    let result = Samples.result(target: 1.5, others: ["M": [1, 1.5, 9], "N": [1.6]])
    #expect(result.meetsTarget("M") == true)
    #expect(result.meetsTarget("N") == false)
    #expect(result.meetsTarget("O") == nil)
    #expect(Samples.result(others: ["M": [1]]).meetsTarget("M") == nil)
  }

  @Test(arguments: [("M", "1.50 met"), ("N", "1.50 missed"), ("O", "1.50")])
  func onlyTheJudgedEngineMeetsATarget(_ judged: String, _ cell: String) throws {
    let report = Report(
      results: [Samples.result(target: 1.5, others: ["M": [1], "N": [2]])],
      engines: ["C", "M", "N"].map { .init(name: $0, version: "1") }, judged: judged,
      settings: .init(), machine: .current())
    #expect(report.ratios.rows[0].contains { $0.text == cell })
    let sides = try JSONDecoder().decode(ReportJSON.self, from: report.json()).results[0].engines
    #expect(sides.map { $0.meetsTarget != nil } == ["C", "M", "N"].map { $0 == judged })
  }

  @Test func percentilesOfTooFewOperationsAreADash() throws {
    let engine = EngineResult(
      engine: "C", seconds: [1], peak: nil, latencies: Latencies(nanoseconds: [1_000]))
    let result = WorkloadResult(
      name: "W5", title: "", durability: .full, operations: 1, target: nil, engines: [engine])
    let report = Report(
      results: [result], engines: [.init(name: "C", version: "1")], judged: "M",
      settings: .init(), machine: .current())
    let cells = try #require(report.latencies).rows[0].dropFirst(2).map(\.text)
    #expect(cells == ["1.00", "1.00", "–", "–", "1.00", "1"])
  }

  @Test func theGateIgnoresAnEngineThatIsNotMeasured() async throws {
    let limits = FileManager.default.temporaryDirectory
      .appendingPathComponent("limits-\(UUID().uuidString).json")
    try Data(#"{"W4": 1}"#.utf8).write(to: limits)
    defer { try? FileManager.default.removeItem(at: limits) }
    let comparison = Comparison(
      engines: [IdleEngine.self, UnableEngine.self], judged: WrongEngine.self,
      options: try .parse(["--workloads", "W4", "--count", "1000", "--gate", limits.path]))
    await #expect(throws: ValidationError.self) { try await comparison.run() }
  }

  @Test func aWorkloadAboveItsLimitIsMeasuredAgain() async throws {
    let limits = FileManager.default.temporaryDirectory
      .appendingPathComponent("limits-\(UUID().uuidString).json")
    try Data(#"{"W4": 3}"#.utf8).write(to: limits)
    defer { try? FileManager.default.removeItem(at: limits) }
    let comparison = Comparison(
      engines: [SteadyEngine.self, SlowAtFirstEngine.self], judged: SlowAtFirstEngine.self,
      options: try .parse([
        "--workloads", "W4", "--count", "1000", "--runs", "1", "--no-latencies", "--gate",
        limits.path,
      ]))
    SlowAtFirstEngine.slowJobs.store(4, ordering: .relaxed)
    try await comparison.run()
    SlowAtFirstEngine.slowJobs.store(1_000, ordering: .relaxed)
    await #expect(throws: ExitCode.self) { try await comparison.run() }
  }

  @Test func theGateReportsExceededLimits() {
    let gate = Gate(["W1": 1.5, "W2": 2, "W1, MiB": 3])
    let results = [
      Samples.result(peak: 4 << 20, others: ["M": [1.6]]), Samples.result("W3", others: ["M": [1]]),
    ]
    #expect(
      gate.excesses(of: "M", in: results, areAll: true) == [
        "W1 takes 1.60 of the time of C; 1.50 is allowed", "W3 has no threshold",
        "W1 takes 4.00 MiB; 3.00 are allowed",
        "W2 has a threshold, but was not measured",
      ])
  }

  @Test func theGateReportsNothingWithinLimits() {
    let gate = Gate(["W1": 1.5, "W1, MiB": 4])
    let result = Samples.result(peak: 4 << 20, others: ["M": [1.4, 1.5, 9]])
    #expect(gate.excesses(of: "M", in: [result], areAll: true).isEmpty)
  }

  @Test func theGateReportsAMissingEngine() {
    #expect(
      Gate(["W1": 1])
        .excesses(of: "N", in: [Samples.result(others: ["M": [1]])], areAll: true)
        == ["W1 was not measured with N"])
  }

  @Test func theGateChecksChosenWorkloadsOnly() {
    let gate = Gate(["W1": 1, "W2": 1, "W3, MiB": 1])
    let results = [Samples.result(others: ["M": [1]])]
    #expect(gate.excesses(of: "M", in: results, areAll: false).isEmpty)
    #expect(
      gate.excesses(of: "M", in: results, areAll: true) == [
        "W2 has a threshold, but was not measured", "W3 has a threshold, but was not measured",
      ])
    #expect(
      gate.excesses(of: "M", in: [Samples.result(others: ["M": [2]])], areAll: false).count == 1)
  }
}
