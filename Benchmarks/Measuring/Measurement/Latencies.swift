import Histogram

/// The latencies of single operations in nanoseconds, exact to three digits.
public struct Latencies: Codable, Sendable {
  /// The number of operations.
  public let count: Int
  /// The median.
  public let p50: UInt64
  /// The 90th percentile.
  public let p90: UInt64
  /// The 99th percentile; nil with fewer than 100 operations.
  public let p99: UInt64?
  /// The 99.9th percentile; nil with fewer than 1,000 operations.
  public let p999: UInt64?
  /// The longest latency.
  public let max: UInt64

  /// Creates the latencies of operations in any order.
  public init(nanoseconds: [UInt64]) {
    var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    for each in nanoseconds { histogram.record(each) }
    count = nanoseconds.count
    // A histogram returns the end of a range, which can exceed the recorded values.
    let max = nanoseconds.max() ?? 0
    func percentile(_ percentile: Double) -> UInt64 {
      min(histogram.valueAtPercentile(percentile), max)
    }
    p50 = percentile(50)
    p90 = percentile(90)
    // With fewer operations the percentile would be the longest latency.
    p99 = count >= 100 ? percentile(99) : nil
    p999 = count >= 1_000 ? percentile(99.9) : nil
    self.max = max
  }
}
