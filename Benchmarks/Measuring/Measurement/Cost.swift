import Workloads

/// What one run took, and what it read.
struct Cost {
  let seconds: Double
  /// By how many bytes the process grew at most; nil where the system does not tell.
  let peak: Int?
  var checksum: Checksum

  /// What the job holds is let go of by the caller, later: its records are not part of the work.
  static func measured(
    _ job: @escaping Job, _ run: Run, measuresMemory: Bool
  ) async throws -> Cost {
    guard measuresMemory else {
      let (seconds, checksum) = try await timed(job, run)
      return Cost(seconds: seconds, peak: nil, checksum: checksum)
    }
    let ((seconds, checksum), peak) = try await PeakMemory.measured { try await timed(job, run) }
    return Cost(seconds: seconds, peak: peak, checksum: checksum)
  }

  private static func timed(_ job: @escaping Job, _ run: Run) async throws -> (Double, Checksum) {
    let start = Uptime.nanoseconds
    let checksum = try await job(run)
    return (Double(Uptime.nanoseconds - start) / 1e9, checksum)
  }
}
