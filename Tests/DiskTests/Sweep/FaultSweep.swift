import DiskSimulation
import Foundation
import MagicData
import MagicFiles

/// Runs the scenario once for each step at which the disk can fail.
struct FaultSweep {
  private let reference: SweepReference
  private(set) var findings: [String] = []
  private(set) var points: [Fault: Int] = [:]
  private var failures = 0
  private var objects = 0
  private var codes: [MagicError.Code: Int] = [:]
  private var steps: [String: Int] = [:]

  init(_ reference: SweepReference) { self.reference = reference }

  /// The number of points of each kind in the last run of all points.
  static let leastPoints: [Fault: Int] = [
    .call(.write, number: ENOSPC): 663,
    .call(.write, number: EIO): 659,
    .call(.write, number: EINTR): 659,
    .call(.sync, number: EIO): 36,
    .call(.read, number: EIO): 630,
    .call(.truncate, number: EIO): 8,
    .call(.open, number: EIO): 26,
    .call(.delete, number: EIO): 4,
    .call(.lock, number: EIO): 309,
    .call(.size, number: EIO): 112,
    .call(.access, number: EIO): 30,
    .call(.map, number: EIO): 62,
    .call(.write, number: EIO, isLasting: true): 662,
    .fullDisk: 660,
    .file(.makeDirectory, number: ENOSPC): 3,
    .file(.makeDirectory, number: EIO): 3,
    .file(.create, number: ENOSPC): 35,
    .file(.create, number: EIO): 35,
    .file(.open, number: EIO): 110,
    .file(.read, number: EIO): 89,
    .file(.write, number: ENOSPC): 33,
    .file(.write, number: EIO): 33,
    .file(.close, number: EIO): 35,
    .file(.sync, number: EIO): 32,
    .file(.rename, number: EIO): 15,
    .file(.syncDirectory, number: EIO): 12,
    .file(.remove, number: EIO): 13,
    .file(.removeDirectory, number: EIO): 1,
    .file(.list, number: EIO): 11,
    .file(.lock, number: EIO): 7,
  ]

  /// Fails one step of a kind after the other, until the scenario no longer reaches the step.
  ///
  /// - Parameters:
  ///   - limit: The approximate number of points to try. If there are more, some are left out.
  ///   - flaw: A deliberate flaw of the program.
  ///   - endsWhenFound: Whether to stop at the first finding.
  mutating func run(
    _ fault: Fault, atMost limit: Int, flaw: Scenario.Flaw? = nil, endsWhenFound: Bool = false
  ) async throws {
    var position = 1
    while !endsWhenFound || findings.isEmpty {
      var point = SweepPoint(fault, at: position, reference)
      try await point.run(flaw: flaw)
      guard point.wasReached else { return }
      note(point)
      // The distance between points grows with the position.
      position += 1 + position * 4 / max(1, limit)
    }
  }

  private mutating func note(_ point: SweepPoint) {
    points[point.fault, default: 0] += 1
    objects += point.objects
    if point.failedStep != nil { failures += 1 }
    if let code = point.code { codes[code, default: 0] += 1 }
    if let step = point.failedStep { steps[step, default: 0] += 1 }
    findings += point.findings.map {
      "\(point.fault), number \(point.position), \(point.failedStep ?? "nothing failed"): \($0)"
    }
  }

  /// The counts, with a line for each kind.
  var report: String {
    let lines = Fault.all.compactMap { fault in points[fault].map { "  \(fault): \($0)" } }
    return "Fault sweep: \(points.values.reduce(0, +)) points, \(failures) calls failed, "
      + "\(objects) objects verified, \(findings.count) findings\n"
      + lines.joined(separator: "\n")
      + "\n  errors: \(codes.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" })"
      + "\n  failed: \(steps.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" })"
  }
}
