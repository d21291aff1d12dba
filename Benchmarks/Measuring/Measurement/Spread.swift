/// The middle of some values, and how far they are from it.
public struct Spread: Equatable, Sendable {
  private let sorted: [Double]

  /// Of values in any order.
  public init(_ values: [Double]) { sorted = values.sorted() }

  /// The middle value; the mean of the two middle ones where there are two.
  public var median: Double { quantile(0.5) }
  /// The smallest.
  public var lowest: Double { sorted.first ?? .nan }
  /// The largest.
  public var highest: Double { sorted.last ?? .nan }
  /// Below which a quarter lies.
  public var lowerQuartile: Double { quantile(0.25) }
  /// Above which a quarter lies.
  public var upperQuartile: Double { quantile(0.75) }

  /// Between two values in proportion, where the place is between them.
  private func quantile(_ fraction: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = fraction * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
