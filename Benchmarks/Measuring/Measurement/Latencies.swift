import Histogram

/// How long single operations took, in nanoseconds: three digits of it are exact.
public struct Latencies: Codable, Sendable {
  /// How many operations.
  public let count: Int
  /// Half took no longer.
  public let p50: UInt64
  /// Nine in ten took no longer.
  public let p90: UInt64
  /// 99 in a hundred took no longer; nil of fewer than a hundred.
  public let p99: UInt64?
  /// 999 in a thousand took no longer; nil of fewer than a thousand.
  public let p999: UInt64?
  /// The longest.
  public let max: UInt64

  /// Of operations in any order.
  public init(nanoseconds: [UInt64]) {
    var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    for each in nanoseconds { histogram.record(each) }
    count = nanoseconds.count
    // A histogram tells the end of a range, which may be more than what was recorded.
    let max = nanoseconds.max() ?? 0
    func percentile(_ percentile: Double) -> UInt64 {
      min(histogram.valueAtPercentile(percentile), max)
    }
    p50 = percentile(50)
    p90 = percentile(90)
    // Of fewer it would be the longest.
    p99 = count >= 100 ? percentile(99) : nil
    p999 = count >= 1_000 ? percentile(99.9) : nil
    self.max = max
  }
}
