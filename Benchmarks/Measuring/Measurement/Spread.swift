/// The median and the spread of some values.
public struct Spread: Equatable, Sendable {
  private let sorted: [Double]

  /// Creates the spread of values in any order.
  public init(_ values: [Double]) { sorted = values.sorted() }

  /// The median; the mean of the two middle values if there are two.
  public var median: Double { quantile(0.5) }
  /// The smallest value.
  public var lowest: Double { sorted.first ?? .nan }
  /// The largest value.
  public var highest: Double { sorted.last ?? .nan }
  /// The lower quartile.
  public var lowerQuartile: Double { quantile(0.25) }
  /// The upper quartile.
  public var upperQuartile: Double { quantile(0.75) }

  /// The quantile, interpolated between two values.
  private func quantile(_ fraction: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = fraction * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
