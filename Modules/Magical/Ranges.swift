public import Foundation

/// Stored as a JSON array of the two bounds.
extension Range: Magical, MagicalColumn where Bound: Codable {
  /// The bounds as JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Decodes the JSON; malformed JSON and a lower bound above the upper bound throw.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Range<Bound>.self, from: storedValue)
  }
}

/// Stored as a JSON array of the two bounds.
extension ClosedRange: Magical, MagicalColumn where Bound: Codable {
  /// The bounds as JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Decodes the JSON; malformed JSON and a lower bound above the upper bound throw.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(ClosedRange<Bound>.self, from: storedValue)
  }
}
