public import Foundation

/// Bytes are stored as they are, every other array as JSON.
extension Array: Magical, MagicalColumn where Element: Codable {
  /// The bytes, or the JSON.
  public var storedValue: Data {
    get throws {
      guard Element.self != UInt8.self else {
        return withUnsafeBytes { Data($0) }
      }
      return try JSONColumn.encode(self)
    }
  }

  /// Takes the bytes, or reads the JSON; malformed JSON throws.
  public init(storedValue: Data) throws {
    if Element.self == UInt8.self, let bytes = [UInt8](storedValue) as? [Element] {
      self = bytes
    } else {
      self = try JSONColumn.decode([Element].self, from: storedValue)
    }
  }

  /// Bytes lie behind the row's slots, every other array in an object.
  @inlinable public static var _packing: _MagicalPacking {
    Element.self == UInt8.self ? .bytes : .object
  }

  /// Makes the bytes from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> [Element] {
    value.bytes.withMemoryRebound(to: Element.self) { [Element]($0) }
  }
}
