import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// When the power fails, what was not brought to the disk may be there, wholly, in part or not at all.
@Suite struct PowerLossTests {
  private static let effort = Effort("POWER", rounds: 3, long: 8)

  @Test func withFullDurabilityNoAcknowledgedSaveIsEverMissing() async throws {
    let figures = try await rounds(.full)
    print("Power loss, full: \(figures.text)")
    #expect(figures.lost == 0)
    #expect(figures.moments >= 8 * Self.effort.rounds)
  }

  @Test func withNormalDurabilityTheDatabaseStaysWhole() async throws {
    let figures = try await rounds(.normal)
    print("Power loss, normal: \(figures.text)")
  }

  /// A system says once that something could not be written, and then forgets it.
  @Test func aSyncThatFailsLosesNothingThatWasAcknowledged() async throws {
    let figures = try await rounds(.full, failsToSync: true)
    print("Power loss, full, where syncing fails: \(figures.text)")
    #expect(figures.failures > 0)
    #expect(figures.lost == 0)
  }

  /// The same rounds see that a promise is broken: that they find nothing else means something.
  @Test(arguments: PowerRound.Flaw.allCases)
  func aBrokenPromiseIsFound(_ flaw: PowerRound.Flaw) async throws {
    for seed in 0..<40 {
      var round = PowerRound(.full, seed: Self.effort.seed &+ UInt64(seed))
      round.flaw = flaw
      try await round.run()
      if !round.findings.isEmpty { return }
    }
    Issue.record("the rounds did not see it")
  }

  private func rounds(
    _ durability: MagicOptions.Durability, failsToSync: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) async throws -> PowerFigures {
    var figures = PowerFigures()
    for number in 0..<Self.effort.rounds {
      var round = PowerRound(durability, seed: Self.effort.seed &+ UInt64(number) &* 1_000)
      round.failsToSync = failsToSync
      try await round.run()
      figures.add(round.figures)
      #expect(
        round.findings.isEmpty, "\(round.findings.joined(separator: "\n"))",
        sourceLocation: location)
      guard round.findings.isEmpty else { break }
    }
    return figures
  }
}
