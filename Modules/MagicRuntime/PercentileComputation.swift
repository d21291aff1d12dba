/// Percentiles, with the results of `percentile_cont` in SQL: between two values the result is
/// interpolated.
package enum PercentileComputation {
  /// Returns the number below which a part of the numbers is.
  ///
  /// - Parameters:
  ///   - fraction: the part, from 0 to 1.
  ///   - numbers: the numbers, in any order. They are sorted.
  /// - Returns: nil if there are no numbers, or if the result is not a number.
  /// - Complexity: O(n log n)
  package static func percentile(_ fraction: Double, of numbers: inout [Double]) -> Double? {
    guard !numbers.isEmpty, fraction >= 0, fraction <= 1 else { return nil }
    numbers.sort()
    let place = fraction * Double(numbers.count - 1)
    let low = numbers[Int(place)]
    let high = numbers[min(Int(place) + 1, numbers.count - 1)]
    let part = place - place.rounded(.down)
    guard low != high, part != 0 else { return low }
    let distance = high - low
    // The distance of two large numbers exceeds the range of numbers.
    let result = distance.isFinite ? low + distance * part : low * (1 - part) + high * part
    return result.isNaN ? nil : result
  }
}
