import DiskSimulation
import Foundation
import MagicTestSupport
import Testing

/// Whichever step of the disk's fails: what was being done is done wholly or not at all, and all else
/// goes on.
@Suite struct FaultSweepTests {
  private static let effort = Effort("SWEEP", rounds: 20)

  @Test func whicheverStepFailsNothingIsLost() async throws {
    var sweep = FaultSweep(try await SweepReference())
    for fault in Fault.all { try await sweep.run(fault, atMost: Self.effort.rounds) }
    print(sweep.report)
    #expect(sweep.findings.isEmpty, "\(sweep.findings.joined(separator: "\n"))")
  }
}
