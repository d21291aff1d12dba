public import Magical

/// The row ID of an object. It is unique in its table and is never reused, even after the row was
/// deleted.
///
/// ```swift
/// let zIndex = try await magic.update(ada)
/// ```
public struct ZIndex: RawRepresentable, Hashable, Comparable, Sendable {
  /// The value of the column `z_index`.
  public let rawValue: Int64

  /// Creates a row ID.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Orders row IDs as the rows of a table are ordered.
  public static func < (left: ZIndex, right: ZIndex) -> Bool { left.rawValue < right.rawValue }
}

/// As a column value or in a query, a row ID is an integer.
extension ZIndex: Magical {}

extension ZIndex: Codable {
  /// Decodes an integer.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes an integer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ZIndex: CustomStringConvertible {
  /// The integer as text.
  public var description: String { String(rawValue) }
}
