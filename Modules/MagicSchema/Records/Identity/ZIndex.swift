public import Magical

/// The hidden key of a row: unique in its table and never given out again, whatever becomes of the
/// row.
public struct ZIndex: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number in the table's `z_index` column.
  public let rawValue: Int64

  /// The z-index with this number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Orders as the rows of a table are ordered.
  public static func < (left: ZIndex, right: ZIndex) -> Bool { left.rawValue < right.rawValue }
}

/// As a value of a column or a query it is its number.
extension ZIndex: Magical {}

extension ZIndex: Codable {
  /// Decodes the number.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ZIndex: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}
