import KillProgram
import MagicTestSupport
import Testing

/// A program that is killed at any moment loses no acknowledged call, and stores no call in part.
@Suite struct KillTests {
  private static let effort = Effort("KILL", rounds: 20, long: 50)
  private static let rounds = effort.rounds
  private static let seed = effort.seed

  @Test func noAcknowledgedCallIsLostWhenTheProgramIsKilled() async throws {
    var series = try CallSeries(.sound, seed: Self.seed)
    var isSound = try await series.run(rounds: Self.rounds)
    if isSound, Self.rounds >= 50 {
      isSound = try await series.reachRequiredSteps(maximum: 10 * Self.rounds)
    }
    print("Kill test, seed \(Self.seed): \(series.figures.text), lost \(series.losses.count)")
    #expect(isSound, "\(series.losses.joined(separator: "\n"))")
    guard isSound, Self.rounds >= 50 else { return }
    series.expectRequiredSteps()
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: [
    (Mode.ackfirst, "acknowledged state: missing [\""),
    (.assetlast, "has no file"),
    (.unlinkfirst, "has no file"),
    (.twoTransactions, "not expected [\"e"),
    (.unmarked, "left in the folder"),
  ])
  func aFlawIsFound(_ mode: Mode, _ finding: String) async throws {
    try await CallSeries.expectFlaw(mode, finding, seed: Self.seed, rounds: 50)
  }
}
