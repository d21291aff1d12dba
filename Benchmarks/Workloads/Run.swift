import Foundation

/// The measurements of a job while it runs.
///
/// Only one task uses a run: jobs with several tasks measure no single operations.
public final class Run: @unchecked Sendable {
  @usableFromInline let recordsLatencies: Bool
  private let keepsObjects: Bool
  private var kept: [any Sendable] = []
  /// The latency of each single operation in nanoseconds, in order.
  public private(set) var latencies: [UInt64] = []

  /// - Parameters:
  ///   - operations: The expected number of latencies; nil records none.
  ///   - keepsObjects: Whether fetched objects are kept.
  public init(recordingLatenciesOf operations: Int? = nil, keepsObjects: Bool = false) {
    recordsLatencies = operations != nil
    self.keepsObjects = keepsObjects
    latencies.reserveCapacity(operations ?? 0)
  }

  /// Begins a single operation. The cost is negligible unless latencies are recorded.
  @inlinable
  public func begin() -> UInt64 { recordsLatencies ? Uptime.nanoseconds : 0 }

  /// Ends the operation that began at a time.
  @inlinable
  public func end(_ start: UInt64) {
    if recordsLatencies { record(since: start) }
  }

  /// Keeps fetched objects after the end of the job, to measure their memory.
  public func keep(_ objects: some Sendable) {
    if keepsObjects { kept.append(objects) }
  }

  @usableFromInline
  func record(since start: UInt64) { latencies.append(Uptime.nanoseconds - start) }
}

/// A monotonic clock.
public enum Uptime {
  /// The nanoseconds since a moment in the past.
  public static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
