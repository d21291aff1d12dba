import KillProgram
import MagicFiles
import MagicTestSupport
import Testing

/// A program that is killed during a migration leaves the old state or the new one.
@Suite struct MigrationKillTests {
  private static let effort = Effort("KILL", rounds: 12, long: 24)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func aKilledMigrationLeavesTheOldStateOrTheNewOne() async throws {
    var series = try MigrationSeries(.sound, seed: Self.seed)
    let isSound = try await series.run(rounds: Self.rounds)
    print("Kill test of migrations, seed \(Self.seed): \(series.figures.text)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 24 else { return }
    #expect(series.figures.old > 0)
    #expect(series.figures.new > 0)
    series.expectRequiredSteps()
    guard Self.rounds >= series.roundsForEachStatement else { return }
    #expect(series.figures.statements.subtracting(series.figures.reached) == [])
  }

  /// An uninterrupted migration has the right values, so a state that equals its result has them
  /// too.
  @Test(arguments: MigrationWork.Way.allCases)
  func anUninterruptedMigrationIsCorrect(_ way: MigrationWork.Way) throws {
    let reference = try MigrationReference.shared.get()
    let outcome = try #require(reference.ways[way])
    #expect(reference.before.faults == [])
    #expect(outcome.after.faults == [])
    #expect(outcome.after.leftovers == [])
    #expect(!outcome.after.differences(from: reference.before).isEmpty)
    #expect(outcome.statements[outcome.commit - 1] == "COMMIT")
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.twoTransactions, "neither old, in"),
    (.versionless, "nor new, in [\"table magic_catalogue\"]"),
    (.assetlast, "a named file is missing"),
    (.unlinkfirst, "a named file is missing"),
  ])
  func aFlawIsFound(_ mode: Mode, _ finding: String) async throws {
    try await MigrationSeries.expectFlaw(mode, finding, seed: Self.seed, rounds: 60)
  }
}
