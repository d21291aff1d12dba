import Foundation

/// Places of ratios on a line where each doubling is as far as the next.
struct LogScale {
  /// The powers of two at both ends.
  let exponents: ClosedRange<Int>
  /// Where the ends are drawn.
  let pixels: ClosedRange<Double>

  /// - Parameter ratios: what must have room. A half and the double always have.
  init(for ratios: [Double], pixels: ClosedRange<Double>) {
    let exponents = ratios.filter { $0 > 0 && $0.isFinite }.map { log2($0) }
    let lowest = min(-1, exponents.min().map { Int($0.rounded(.down)) } ?? -1)
    let highest = max(1, exponents.max().map { Int($0.rounded(.up)) } ?? 1)
    self.exponents = lowest...highest
    self.pixels = pixels
  }

  /// Where a ratio is drawn; at the end where it is beyond.
  func callAsFunction(_ ratio: Double) -> Double {
    guard ratio > 0 else { return pixels.lowerBound }
    let whole = Double(exponents.upperBound - exponents.lowerBound)
    let fraction = (log2(ratio) - Double(exponents.lowerBound)) / whole
    return pixels.lowerBound
      + min(1, max(0, fraction)) * (pixels.upperBound - pixels.lowerBound)
  }

  /// Whether there is a place for a ratio.
  func contains(_ ratio: Double) -> Bool {
    ratio >= exp2(Double(exponents.lowerBound)) && ratio <= exp2(Double(exponents.upperBound))
  }

  /// Every power of two from end to end.
  var ticks: [Double] { exponents.map { exp2(Double($0)) } }
}
