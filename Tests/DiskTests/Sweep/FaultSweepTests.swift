import DiskSimulation
import Foundation
import MagicFiles
import MagicTestSupport
import Testing

/// For every step of the disk that can fail: the interrupted call is atomic, and all later calls
/// succeed.
@Suite struct FaultSweepTests {
  /// The approximate number of points of each kind; a million or more means all points.
  private static let effort = Effort("SWEEP", rounds: 2, long: 6)

  @Test func noFailingStepLosesData() async throws {
    var sweep = FaultSweep(try await SweepReference())
    for fault in Fault.all { try await sweep.run(fault, atMost: Self.effort.rounds) }
    print(sweep.report)
    #expect(sweep.findings.isEmpty, "\(sweep.findings.joined(separator: "\n"))")
    guard Self.effort.rounds >= 1_000_000 else { return }
    for (fault, least) in FaultSweep.leastPoints {
      // The order of concurrent tasks changes some of them.
      #expect(
        sweep.points[fault, default: 0] >= least - least / 10,
        "fewer points than last time: \(fault)")
    }
  }

  /// A control: the same sweep finds deliberate flaws.
  @Test(arguments: Effort.choose(first: 1, of: Scenario.Flaw.allCases))
  func aFlawIsFound(_ flaw: Scenario.Flaw) async throws {
    var sweep = FaultSweep(try await SweepReference())
    for fault in [Fault.call(.write, number: ENOSPC), .file(.sync, number: EIO)] {
      try await sweep.run(fault, atMost: 20, flaw: flaw, endsWhenFound: true)
    }
    #expect(!sweep.findings.isEmpty)
  }

  @Test func aDiskThatFalselyReportsWritesIsFound() async throws {
    var sweep = FaultSweep(try await SweepReference())
    try await sweep.run(.call(.write, number: 0), atMost: 20, endsWhenFound: true)
    #expect(!sweep.findings.isEmpty)
  }
}
