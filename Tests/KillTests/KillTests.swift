import KillProgram
import MagicTestSupport
import Testing

/// A program that is killed at any moment loses no acknowledged call, and stores no call in part.
@Suite struct KillTests {
  private static let effort = Effort("KILL", rounds: 20, long: 50)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func noAcknowledgedCallIsLostWhenTheProgramIsKilled() throws {
    var series = try Series(.sound, seed: Self.seed)
    var isSound = try series.run(rounds: Self.rounds)
    // Which steps a round reaches is partly random.
    while isSound, Self.rounds >= 50, series.figures.rounds < 10 * Self.rounds,
      Series.required.contains(where: { series.figures.steps[$0] == nil })
    {
      isSound = try series.run(rounds: 10)
    }
    print("Kill test, seed \(Self.seed): \(series.figures.text), lost \(series.losses.count)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 50 else { return }
    for step in Series.required {
      #expect(series.figures.steps[step] != nil, "no round ended \(step.name)")
    }
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.ackfirst, "acknowledged state: missing [\""),
    (.assetlast, "has no file"),
    (.unlinkfirst, "has no file"),
    (.twoTransactions, "not expected [\"e"),
    (.unmarked, "left in the folder"),
  ])
  func aFlawIsFound(_ mode: Mode, _ finding: String) throws {
    // The moment of a kill by the test is random: sometimes no kill of fifty rounds happens at a
    // moment at which the flaw has an effect.
    var found: [String] = []
    for attempt in 0..<20 {
      var series = try Series(mode, seed: Self.seed &+ UInt64(attempt))
      _ = try series.run(rounds: 50)
      if series.losses.contains(where: { $0.contains(finding) }) { return }
      found += series.losses
    }
    Issue.record("the rounds did not find the flaw; they found: \(found)")
  }
}
