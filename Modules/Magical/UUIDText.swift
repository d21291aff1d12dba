/// The text of a UUID, as the library stores it where the database has no type for it.
package enum UUIDText {
  package static let length = 36

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the 16 bytes of a text; nil if it is not a UUID.
  package static func bytes(of text: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    guard text.count == length else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    var count = 0
    for (index, byte) in text.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = digit(byte) else { return nil }
      if count < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      count += 1
    }
    return (high.bigEndian, low.bigEndian)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }

  /// Writes the text of 16 bytes.
  package static func write(_ bytes: UnsafeRawBufferPointer, to text: UnsafeMutableRawBufferPointer)
  {
    var place = 0
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) {
        text[place] = UInt8(ascii: "-")
        place += 1
      }
      text[place] = digits[Int(byte >> 4)]
      text[place + 1] = digits[Int(byte & 15)]
      place += 2
    }
  }
}
