public import Foundation

/// Stored as a JSON array.
extension Set: Magical, MagicalColumn where Element: Codable {
  /// The JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Set<Element>.self, from: storedValue)
  }
}

/// Stored as a JSON object, or as an array of keys and values where the keys are not text.
extension Dictionary: Magical, MagicalColumn where Key: Codable, Value: Codable {
  /// The JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode([Key: Value].self, from: storedValue)
  }
}
