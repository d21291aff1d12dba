import KillProgram
import MagicTestSupport
import Testing

/// A program that is killed during a backup leaves a complete copy or none. The next backup to the
/// same path removes all remaining files.
@Suite struct BackupKillTests {
  private static let effort = Effort("KILL", rounds: 15, long: 40)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func aKilledBackupIsCompleteOrAbsent() throws {
    var series = try BackupSeries(.sound, seed: Self.seed)
    var isSound = try series.run(rounds: Self.rounds)
    // Which steps a round reaches is partly random.
    while isSound, Self.rounds >= 40, series.figures.rounds < 10 * Self.rounds,
      BackupSeries.required.contains(where: { series.figures.steps[$0] == nil })
    {
      isSound = try series.run(rounds: 10)
    }
    print("Kill test of copies, seed \(Self.seed): \(series.figures.text)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 40 else { return }
    for step in BackupSeries.required {
      #expect(series.figures.steps[step] != nil, "no round ended \(step.name)")
    }
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
  func aFlawIsFound(_ mode: Mode, _ finding: String) throws {
    var found: [String] = []
    for attempt in 0..<20 {
      var series = try BackupSeries(mode, seed: Self.seed &+ UInt64(attempt))
      _ = try series.run(rounds: 40)
      if series.losses.contains(where: { $0.contains(finding) }) { return }
      found += series.losses
    }
    Issue.record("the rounds did not find the flaw; they found: \(found)")
  }
}
