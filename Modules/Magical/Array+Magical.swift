public import Foundation

/// An array of `UInt8` is stored as a blob of its bytes, every other array as JSON.
extension Array: Magical, MagicalColumn where Element: Codable {
  /// The bytes of an array of `UInt8`, the JSON of every other array.
  public var storedValue: Data {
    get throws {
      guard Element.self != UInt8.self else {
        return withUnsafeBytes { Data($0) }
      }
      return try JSONColumn.encode(self)
    }
  }

  /// Creates an array of `UInt8` from the bytes, and decodes the JSON of every other array;
  /// malformed JSON throws.
  public init(storedValue: Data) throws {
    if Element.self == UInt8.self, let bytes = [UInt8](storedValue) as? [Element] {
      self = bytes
    } else {
      self = try JSONColumn.decode([Element].self, from: storedValue)
    }
  }

  /// An array of `UInt8` is stored as bytes after the slots of the row, every other array in an
  /// object.
  @inlinable public static var _packing: _MagicalPacking {
    Element.self == UInt8.self ? .bytes : .object
  }

  /// Creates the array from the bytes in a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> [Element] {
    value.bytes.withMemoryRebound(to: Element.self) { [Element]($0) }
  }
}
