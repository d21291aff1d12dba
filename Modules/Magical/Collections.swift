public import Foundation

/// Stored as a JSON array in an order that its elements give, so that equal sets are stored alike.
extension Set: Magical, MagicalColumn where Element: Codable {
  /// The JSON.
  public var storedValue: Data {
    get throws {
      switch self {
      case let texts as Set<String>: try JSONColumn.encode(texts.sorted())
      case let integers as Set<Int>: try JSONColumn.encode(integers.sorted())
      default: try JSONColumn.encodeUnordered(self)
      }
    }
  }
  /// Reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Set<Element>.self, from: storedValue)
  }
}

/// Stored as a JSON object, or as an array of keys and values where the keys are neither text nor
/// integers. Such arrays have no order, so equal dictionaries may be stored differently.
extension Dictionary: Magical, MagicalColumn where Key: Codable, Value: Codable {
  /// The JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode([Key: Value].self, from: storedValue)
  }
}
