import KillProgram
import MagicTestSupport
import Testing

/// A program that is killed during a backup leaves a complete copy or none. The next backup to the
/// same path removes all remaining files.
@Suite struct BackupKillTests {
  private static let effort = Effort("KILL", rounds: 15, long: 40)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func aKilledBackupIsCompleteOrAbsent() async throws {
    var series = try BackupSeries(.sound, seed: Self.seed)
    var isSound = try await series.run(rounds: Self.rounds)
    if isSound, Self.rounds >= 40 {
      isSound = try await series.reachRequiredSteps(maximum: 10 * Self.rounds)
    }
    print("Kill test of copies, seed \(Self.seed): \(series.figures.text)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 40 else { return }
    series.expectRequiredSteps()
    #expect(series.figures.absent > 0)
    #expect(series.figures.complete > 0)
    #expect(series.figures.partial > 0)
    #expect(series.figures.again > 0)
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.namefirst, "in the copy: "),
    (.unmarked, "remaining file of a copy: "),
  ])
  func aFlawIsFound(_ mode: Mode, _ finding: String) async throws {
    try await BackupSeries.expectFlaw(mode, finding, seed: Self.seed)
  }
}
