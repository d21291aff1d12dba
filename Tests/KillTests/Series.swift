import KillProgram
import Testing

/// Rounds in each of which the program is killed and its results are checked.
protocol Series {
  /// The steps at each of which at least one round must end.
  static var required: [Step] { get }

  var endings: EndingCounts { get }
  /// The violations that the last round found.
  var losses: [String] { get }

  init(_ mode: Mode, seed: UInt64) throws

  mutating func runRound() async throws
}

extension Series {
  /// - Returns: Whether no round so far has found a violation.
  mutating func run(rounds: Int) async throws -> Bool {
    for _ in 0..<rounds where losses.isEmpty { try await runRound() }
    return losses.isEmpty
  }

  /// Runs more rounds until at least one has ended at each required step: which steps a round reaches is
  /// partly random.
  ///
  /// - Returns: Whether no round so far has found a violation.
  mutating func reachRequiredSteps(maximum: Int) async throws -> Bool {
    while losses.isEmpty, endings.rounds < maximum,
      Self.required.contains(where: { endings.steps[$0] == nil })
    {
      _ = try await run(rounds: 10)
    }
    return losses.isEmpty
  }

  func expectRequiredSteps(at location: SourceLocation = #_sourceLocation) {
    for step in Self.required {
      #expect(endings.steps[step] != nil, "no round ended \(step.name)", sourceLocation: location)
    }
  }

  /// A control: expects that rounds find a deliberate flaw. The moment of a kill by the test is random, so
  /// sometimes the flaw has no effect in a series.
  ///
  /// - Parameter finding: a part of the violation.
  static func expectFlaw(
    _ mode: Mode, _ finding: String, seed: UInt64, rounds: Int = 40,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    var found: [String] = []
    for attempt in 0..<20 {
      var series = try Self(mode, seed: seed &+ UInt64(attempt))
      _ = try await series.run(rounds: rounds)
      if series.losses.contains(where: { $0.contains(finding) }) { return }
      found += series.losses
    }
    Issue.record(
      "the rounds did not find the flaw; they found: \(found)", sourceLocation: location)
  }
}
