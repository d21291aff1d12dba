import Workloads

/// The costs of a run, and its checksums.
struct Cost {
  let seconds: Double
  /// The maximum growth of the process in bytes; nil if the system does not report it.
  let peak: Int?
  let checksum: Checksum
  /// The checksum of the written values; nil if they were not read.
  var written: Checksum?

  /// Measures a job. The caller releases the job later, because releasing its records is not part
  /// of the work.
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
