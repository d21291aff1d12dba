public import Foundation

/// Stored as a JSON array. The order of the array depends only on the elements, so equal sets have
/// equal column values.
extension Set: Magical, MagicalColumn where Element: Codable {
  /// The elements as JSON.
  public var storedValue: Data {
    get throws {
      switch self {
      case let texts as Set<String>: try JSONColumn.encode(texts.sorted())
      case let integers as Set<Int>: try JSONColumn.encode(integers.sorted())
      default: try JSONColumn.encodeUnordered(self)
      }
    }
  }
  /// Decodes the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode(Set<Element>.self, from: storedValue)
  }
}

/// Stored as a JSON object if the keys are strings or integers, otherwise as a JSON array of keys
/// and values. The array has no defined order, so equal dictionaries can have different column
/// values.
extension Dictionary: Magical, MagicalColumn where Key: Codable, Value: Codable {
  /// The dictionary as JSON.
  public var storedValue: Data { get throws { try JSONColumn.encode(self) } }
  /// Decodes the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    self = try JSONColumn.decode([Key: Value].self, from: storedValue)
  }
}
