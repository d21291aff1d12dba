public import Foundation

/// Stored as upper-case text. Lower-case letters are accepted when it is read.
extension UUID: Magical {
  /// The 36 characters in upper case.
  public var storedValue: String { uuidString }

  /// Creates the UUID from 36 characters in upper or lower case; any other text throws.
  public init(storedValue: String) throws {
    var text = storedValue
    guard let value = text.withUTF8({ UUID(text: UnsafeRawBufferPointer($0)) }) else {
      throw MagicalError.cannotDecode("the text is not a UUID")
    }
    self = value
  }

  /// The sixteen bytes are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> UUID {
    UUID(uuid: value.bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension UUID {
  /// Parses the 36 characters of a UUID in upper or lower case; nil for any other text.
  package init?(text: UnsafeRawBufferPointer) {
    guard text.count == 36 else { return nil }
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
      var position = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          guard text[position] == UInt8(ascii: "-") else { return false }
          position += 1
        }
        guard let high = Self.nibble(text[position]), let low = Self.nibble(text[position + 1])
        else { return false }
        bytes[index] = high << 4 | low
        position += 2
      }
      return true
    }
    guard isValid else { return nil }
    self.init(uuid: uuid)
  }

  /// Calls the body with the 36 upper-case characters of the UUID.
  package func withText<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { text in
      withUnsafeBytes(of: uuid) { bytes in
        var position = 0
        for index in 0..<16 {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[position] = UInt8(ascii: "-")
            position += 1
          }
          text[position] = Self.digit(bytes[index] >> 4)
          text[position + 1] = Self.digit(bytes[index] & 15)
          position += 2
        }
      }
      return try body(UnsafeRawBufferPointer(text))
    }
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }
}
