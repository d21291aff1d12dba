import ArgumentParser
import Foundation
import Testing
import Workloads

@testable import Measuring

struct ScalingTests {
  @Test(arguments: [
    ("10k", 10_000), ("1M", 1_000_000), ("3m", 3_000_000), ("250_000", 250_000), ("1,500", 1_500),
  ])
  func sizesMayHaveSuffixesAndUnderscores(_ text: String, _ rows: Int) {
    #expect(RowCount(argument: text) == RowCount(rows))
  }

  @Test(arguments: ["", "k", "1.5M", "10x", "-5", "0", "kk", "99999999999999M", "1001M"])
  func invalidSizesAreRefused(_ text: String) { #expect(RowCount(argument: text) == nil) }

  @Test(arguments: [1_500, 10_000, 2_000_000])
  func aPrintedSizeIsParsed(_ rows: Int) {
    #expect(RowCount(argument: "\(RowCount(rows))") == RowCount(rows))
  }

  @Test func batchesCoverEveryRowOnce() {
    #expect(ScalingSize(rows: 1_000_000).batches == [0..<1_000_000])
    #expect(
      ScalingSize(rows: 2_500_000).batches
        == [0..<1_000_000, 1_000_000..<2_000_000, 2_000_000..<2_500_000])
  }

  @Test func keysOfBatchesDiffer() {
    let size = ScalingSize(rows: 20)
    let people = size.people(0..<10) + size.people(10..<20)
    #expect(Set(people.map(\.id)).count == 20)
    #expect(size.entries(0..<10).map(\.id) + size.entries(10..<20).map(\.id) == Array(1...20))
    let teams = size.teams(0..<10) + size.teams(10..<20)
    #expect(Set(teams.map(\.name)).count == 2)
    #expect(Set(teams.flatMap(\.members).map(\.id)).count == 20)
  }

  @Test func growthIsRelativeToTheSmallestSize() throws {
    var (small, large) = (ScalingResult(rows: 1_000), ScalingResult(rows: 10_000))
    small.add([.insert: [1, 2]], peaks: [nil, nil])
    large.add([.insert: [20, 60]], peaks: [nil, nil])
    let report = report([small, large])
    #expect(report.growth(.insert, small, 0) == 1)
    #expect(report.growth(.insert, large, 0) == 2)
    #expect(report.growth(.insert, large, 1) == 3)
    #expect(large.ratios(.insert, 1).median == 3)
  }

  @Test func aRatioThatGrowsByMoreThanAQuarterIsNotFlat() {
    var results = [ScalingResult(rows: 1_000), .init(rows: 2_000), .init(rows: 3_000)]
    for (index, ratio) in [2, 2.5, 2.6].enumerated() {
      results[index].add([.insert: [1, ratio], .fetch: [1, 1]], peaks: [nil, nil])
    }
    let report = report(results)
    #expect(report.ratioGrowth(.insert, results[1], 1) == 1.25)
    #expect(
      report.excesses(of: "M") == [
        "insert, random text as primary: with 3,000 rows the ratio is 1.30 of the one with the "
          + "fewest; 1.25 is allowed"
      ])
    #expect(report.excesses(of: "N") == ["N was not measured"])
    #expect(report.table.rows[1].allSatisfy { !$0.text.contains("not flat") })
    #expect(report.table.rows[2].contains { $0.text == "1.30 not flat" && $0.isStrong })
  }

  @Test(arguments: [(6, true), (7, false)])
  func aStreamMayTakeAQuarterAndAMebibyteMore(_ mebibytes: Int, _ isFlat: Bool) {
    var (small, large) = (ScalingResult(rows: 1_000), ScalingResult(rows: 10_000))
    small.add([.stream: [1, 1]], peaks: [nil, 4 << 20])
    large.add([.stream: [1, 1]], peaks: [nil, mebibytes << 20])
    let report = report([small, large])
    #expect(report.memoryGrowth(.stream, large, 1) == Double(mebibytes - 4))
    #expect(report.memoryGrowth(.stream, large, 0) == nil)
    #expect(report.isFlat(memoryOf: large, 1) == isFlat)
    #expect(report.excesses(of: "M").isEmpty == isFlat)
  }

  @Test(arguments: [["--gate", "--rows", "10k"], ["--gate", "--rows", "10k", "10000"]])
  func theGateRequiresSeveralSizes(_ arguments: [String]) throws {
    #expect(throws: (any Error).self) { try ScalingOptions.parse(arguments) }
    #expect(try ScalingOptions.parse(["--gate"]).gate)
  }

  @Test func onlyStreamsHaveMemory() {
    var result = ScalingResult(rows: 1_000)
    result.add([.stream: [1, 1]], peaks: [2 << 20, nil])
    // A later run without a measurement does not change the value.
    result.add([.stream: [1, 1]], peaks: [nil, nil])
    let report = report([result])
    #expect(report.mebibytes(.stream, result, 0) == 2)
    #expect(report.mebibytes(.stream, result, 1) == nil)
    #expect(report.mebibytes(.insert, result, 0) == nil)
  }

  @Test func everySizeIsMeasuredForEachEngine() async throws {
    let engines: [any Engine.Type] = [IdleEngine.self, IdleEngine.self]
    let sizes = [RowCount(1_000), RowCount(2_000)]
    let results = try await ScalingMeasurement(engines: engines, sizes: sizes, runs: 2).results()
    #expect(results.map(\.rows) == [1_000, 2_000])
    for result in results {
      for measure in ScalingMeasure.allCases {
        #expect(result.seconds[measure]?.map(\.count) == [2, 2])
      }
    }
    #expect(report(results).table.rows.count == 2 * ScalingMeasure.allCases.count)
    #expect(try !report(results).json().isEmpty)
  }

  private func report(_ results: [ScalingResult]) -> ScalingReport {
    ScalingReport(
      engines: [.init(name: "C", version: "1"), .init(name: "M", version: "1")],
      results: results, machine: .current())
  }
}
