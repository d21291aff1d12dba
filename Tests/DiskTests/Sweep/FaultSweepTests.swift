import DiskSimulation
import Foundation
import MagicFiles
import MagicTestSupport
import Testing

/// Whichever step of the disk's fails: what was being done is done wholly or not at all, and all else
/// goes on.
@Suite struct FaultSweepTests {
  /// About so many points of each kind; all of them where that is a million.
  private static let effort = Effort("SWEEP", rounds: 2, long: 6)

  @Test func whicheverStepFailsNothingIsLost() async throws {
    var sweep = FaultSweep(try await SweepReference())
    for fault in Fault.all { try await sweep.run(fault, atMost: Self.effort.rounds) }
    print(sweep.report)
    #expect(sweep.findings.isEmpty, "\(sweep.findings.joined(separator: "\n"))")
    guard Self.effort.rounds >= 1_000_000 else { return }
    for (fault, least) in FaultSweep.leastPoints {
      #expect(sweep.points[fault, default: 0] >= least, "fewer points than last time: \(fault)")
    }
  }

  /// The same sweep sees that a promise is broken: that it finds nothing else means something.
  @Test(arguments: Effort.choose(first: 1, of: Scenario.Flaw.allCases))
  func aBrokenPromiseIsFound(_ flaw: Scenario.Flaw) async throws {
    var sweep = FaultSweep(try await SweepReference())
    for fault in [Fault.call(.write, number: ENOSPC), .file(.sync, number: EIO)] {
      try await sweep.run(fault, atMost: 20, flaw: flaw, endsWhenFound: true)
    }
    #expect(!sweep.findings.isEmpty)
  }

  @Test func aDiskThatSaysItHasWrittenWhatItHasNotIsFound() async throws {
    var sweep = FaultSweep(try await SweepReference())
    try await sweep.run(.call(.write, number: 0), atMost: 20, endsWhenFound: true)
    #expect(!sweep.findings.isEmpty)
  }
}
