import KillProgram
import MagicTestSupport
import Testing

/// A program that is killed during an export or an import leaves nothing that passes for complete.
@Suite struct ExchangeKillTests {
  private static let effort = Effort("KILL", rounds: 12, long: 60)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func aKilledExportIsCompleteOrAbsent() async throws {
    var series = try ExportSeries(.sound, seed: Self.seed)
    let isSound = try await series.run(rounds: Self.rounds)
    print("Kill test of exports, seed \(Self.seed): \(series.figures.text)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 60 else { return }
    for step in ExportSeries.required {
      #expect(series.figures.steps[step] != nil, "no round ended \(step.name)")
    }
    #expect(series.figures.absent > 0)
    #expect(series.figures.complete > 0)
    #expect(series.figures.refused > 0)
    #expect(series.figures.again > 0)
  }

  @Test func aKilledImportHasWholeBatchesAndCanBeCompleted() async throws {
    var series = try ImportSeries(.sound, seed: Self.seed)
    let isSound = try await series.run(rounds: Self.rounds)
    print("Kill test of imports, seed \(Self.seed): \(series.figures.text)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 60 else { return }
    for step in ImportSeries.required {
      #expect(series.figures.steps[step] != nil, "no round ended \(step.name)")
    }
    #expect(series.figures.absent > 0)
    #expect(series.figures.batches > 0)
    #expect(series.figures.complete > 0)
    #expect(series.figures.again > 0)
  }

  /// A control: the same rounds find a deliberate flaw.
  @Test func aFlawOfAnExportIsFound() async throws {
    var found: [String] = []
    for attempt in 0..<20 {
      var series = try ExportSeries(.namefirst, seed: Self.seed &+ UInt64(attempt))
      _ = try await series.run(rounds: 40)
      if series.losses.contains(where: { $0.contains("in the export: ") }) { return }
      found += series.losses
    }
    Issue.record("the rounds did not find the flaw; they found: \(found)")
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.ackfirst, "acknowledged records are missing"),
    (.twoTransactions, "a part of a batch is stored"),
  ])
  func aFlawOfAnImportIsFound(_ mode: Mode, _ finding: String) async throws {
    var found: [String] = []
    for attempt in 0..<20 {
      var series = try ImportSeries(mode, seed: Self.seed &+ UInt64(attempt))
      _ = try await series.run(rounds: 40)
      if series.losses.contains(where: { $0.contains(finding) }) { return }
      found += series.losses
    }
    Issue.record("the rounds did not find the flaw; they found: \(found)")
  }
}
