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
    series.expectRequiredSteps()
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
    series.expectRequiredSteps()
    #expect(series.figures.absent > 0)
    #expect(series.figures.batches > 0)
    #expect(series.figures.complete > 0)
    #expect(series.figures.again > 0)
  }

  /// A control: the same rounds find a deliberate flaw.
  @Test func aFlawOfAnExportIsFound() async throws {
    try await ExportSeries.expectFlaw(.namefirst, "in the export: ", seed: Self.seed)
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.ackfirst, "acknowledged records are missing"),
    (.twoTransactions, "a part of a batch is stored"),
  ])
  func aFlawOfAnImportIsFound(_ mode: Mode, _ finding: String) async throws {
    try await ImportSeries.expectFlaw(mode, finding, seed: Self.seed)
  }
}
