import Dispatch

/// Waits for another process's lock without blocking a thread, with growing pauses and for a
/// limited time.
struct BusyBackoff {
  private let end: UInt64
  private var next: UInt64 = 1_000_000

  private static let longest: UInt64 = 25_000_000

  /// - Parameter seconds: the total time to wait.
  init(seconds: Double) {
    let nanoseconds = UInt64(exactly: (seconds * 1e9).rounded()) ?? .max
    let sum = DispatchTime.now().uptimeNanoseconds.addingReportingOverflow(nanoseconds)
    end = sum.overflow ? .max : sum.partialValue
  }

  /// Suspends the task for one pause.
  ///
  /// - Returns: false, without a pause, if no time is left.
  /// - Throws: `CancellationError`.
  mutating func pause() async throws -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now < end else { return false }
    try await Task.sleep(nanoseconds: min(next, end - now))
    next = min(next * 2, Self.longest)
    return true
  }
}
