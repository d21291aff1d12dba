import ArgumentParser
import Testing
import Workloads

@testable import Measuring

struct CommandTests {
  @Test func aBarShowsProgressAndRemainingTime() {
    #expect(
      ProgressState(done: 5, total: 10, seconds: 65).text
        == "[############------------] 1m05s, about 1m05s left")
    #expect(
      ProgressState(done: 0, total: 10, seconds: 0).text == "[------------------------] 0s")
    #expect(
      ProgressState(done: 10, total: 10, seconds: 3).text == "[########################] 3s")
  }

  @Test(arguments: [["--workloads", "W4", "W1"], ["--workloads", "W1,W4"]])
  func workloadsAreChosenInTheOrderOfTables(_ arguments: [String]) throws {
    let options = try ComparisonOptions.parse(arguments)
    #expect(options.chosenWorkloads.map(\.name) == ["W1", "W4"])
    #expect(!options.choosesAllWorkloads)
  }

  @Test func withoutNamesEveryWorkloadIsChosen() throws {
    let options = try ComparisonOptions.parse([])
    #expect(options.chosenWorkloads.map(\.name) == Workload.all.map(\.name))
    #expect(options.choosesAllWorkloads)
    #expect(options.settings.latencies && options.settings.durability == nil)
  }

  @Test(arguments: [
    ["--workloads", "W99"], ["--count", "10"], ["--runs", "0"], ["--durability", "some"],
    ["--json", "/no/such/folder/file"], ["--gate", "/no/such/file"],
  ])
  func whatCannotBeMeasuredIsRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ComparisonOptions.parse(arguments) }
  }

  @Test func durabilityIsReadInAnyCase() throws {
    #expect(try ComparisonOptions.parse(["--durability", "full"]).settings.durability == .full)
  }

  @Test func enginesAreChosenByNameAfterTheBase() throws {
    let all: [any Engine.Type] = [IdleEngine.self, WrongEngine.self, UnableEngine.self]
    let chosen = try EngineOptions.parse(["--engines", "UNABLE"]).chosen(of: all)
    #expect(chosen.map { $0.name } == ["C", "unable"])
    #expect(try EngineOptions.parse([]).chosen(of: all).count == 3)
    #expect(throws: ValidationError.self) {
      try EngineOptions.parse(["--engines", "none"]).chosen(of: all)
    }
  }
}
