import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// A power failure keeps each change that was not synced completely, in part or not at all.
@Suite struct PowerLossTests {
  private static let effort = Effort("POWER", rounds: 3, long: 8)

  @Test func withFullDurabilityNoAcknowledgedSaveIsLost() async throws {
    let figures = try await rounds(.full)
    print("Power loss, full: \(figures.text)")
    #expect(figures.lost == 0)
    #expect(figures.moments >= 8 * Self.effort.rounds)
  }

  @Test func withNormalDurabilityTheDatabaseStaysConsistent() async throws {
    let figures = try await rounds(.normal)
    print("Power loss, normal: \(figures.text)")
  }

  /// The system reports a failed write-back once, and then discards the data.
  @Test func noAcknowledgedSaveIsLostWhenASyncFails() async throws {
    let figures = try await rounds(.full, failsSyncs: true)
    print("Power loss, full, with failing syncs: \(figures.text)")
    #expect(figures.failures > 0)
    #expect(figures.lost == 0)
  }

  /// A control: the same rounds find deliberate flaws.
  @Test(arguments: PowerRound.Flaw.allCases)
  func aFlawIsFound(_ flaw: PowerRound.Flaw) async throws {
    for seed in 0..<40 {
      var round = PowerRound(.full, seed: Self.effort.seed &+ UInt64(seed))
      round.flaw = flaw
      try await round.run()
      if !round.findings.isEmpty { return }
    }
    Issue.record("the rounds did not find the flaw")
  }

  private func rounds(
    _ durability: MagicOptions.Durability, failsSyncs: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) async throws -> PowerFigures {
    var figures = PowerFigures()
    for number in 0..<Self.effort.rounds {
      var round = PowerRound(durability, seed: Self.effort.seed &+ UInt64(number) &* 1_000)
      round.failsSyncs = failsSyncs
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
