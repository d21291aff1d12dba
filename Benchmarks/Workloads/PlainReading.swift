/// A reading of forty sensors as a plain struct. Three of four sensors have no value.
public struct PlainReading: Sendable {
  /// The number of sensors.
  public static let sensors = 40
  /// The number of the reading.
  public var number: Int
  /// The values of the sensors in order.
  public var values: [Double?]

  /// All values of a reading.
  @inlinable
  public init(number: Int, values: [Double?]) {
    self.number = number
    self.values = values
  }

  /// Creates readings with consecutive numbers.
  public static func make(_ count: Int) -> [PlainReading] {
    (0..<count).map { index in
      PlainReading(
        number: index,
        values: (0..<sensors).map { sensor in
          (index + sensor).isMultiple(of: 4) ? Double(index % 1_000 + sensor) / 8 : nil
        })
    }
  }
}
