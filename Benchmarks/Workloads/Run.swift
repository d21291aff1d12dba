import Foundation

/// What a job tells while it runs.
///
/// It is used by one task: a job of several tasks measures no single operations.
public final class Run: @unchecked Sendable {
  @usableFromInline let recordsLatencies: Bool
  private let keepsObjects: Bool
  private var kept: [any Sendable] = []
  /// How long each single operation took, in nanoseconds, in order.
  public private(set) var latencies: [UInt64] = []

  /// - Parameters:
  ///   - operations: how many latencies to make room for; none are recorded where it is nil.
  ///   - keepsObjects: whether what is fetched stays alive.
  public init(recordingLatenciesOf operations: Int? = nil, keepsObjects: Bool = false) {
    recordsLatencies = operations != nil
    self.keepsObjects = keepsObjects
    latencies.reserveCapacity(operations ?? 0)
  }

  /// Begins a single operation; costs next to nothing unless latencies are recorded.
  @inlinable
  public func begin() -> UInt64 { recordsLatencies ? Uptime.nanoseconds : 0 }

  /// Ends the operation that began there.
  @inlinable
  public func end(_ start: UInt64) {
    if recordsLatencies { record(since: start) }
  }

  /// Keeps what was fetched alive beyond the job, for who measures memory.
  public func keep(_ objects: some Sendable) {
    if keepsObjects { kept.append(objects) }
  }

  @usableFromInline
  func record(since start: UInt64) { latencies.append(Uptime.nanoseconds - start) }
}

/// A clock that only goes on.
public enum Uptime {
  /// Since some moment in the past.
  public static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
