import Foundation

/// A logarithmic scale for ratios.
struct LogScale {
  /// The powers of two at both ends.
  let exponents: ClosedRange<Int>
  /// The positions of both ends.
  let pixels: ClosedRange<Double>

  /// - Parameter ratios: The ratios that the scale must contain, besides 0.5 and 2.
  init(for ratios: [Double], pixels: ClosedRange<Double>) {
    let exponents = ratios.filter { $0 > 0 && $0.isFinite }.map { log2($0) }
    let lowest = min(-1, exponents.min().map { Int($0.rounded(.down)) } ?? -1)
    let highest = max(1, exponents.max().map { Int($0.rounded(.up)) } ?? 1)
    self.exponents = lowest...highest
    self.pixels = pixels
  }

  /// The position of a ratio, or the end of the scale if the ratio is beyond it.
  func callAsFunction(_ ratio: Double) -> Double {
    guard ratio > 0 else { return pixels.lowerBound }
    let whole = Double(exponents.upperBound - exponents.lowerBound)
    let fraction = (log2(ratio) - Double(exponents.lowerBound)) / whole
    return pixels.lowerBound
      + min(1, max(0, fraction)) * (pixels.upperBound - pixels.lowerBound)
  }

  /// Whether the scale contains a ratio.
  func contains(_ ratio: Double) -> Bool {
    ratio >= exp2(Double(exponents.lowerBound)) && ratio <= exp2(Double(exponents.upperBound))
  }

  /// Every power of two from end to end.
  var ticks: [Double] { exponents.map { exp2(Double($0)) } }
}
