import MagicEngine
import MagicPostgreSQL
import MagicSchema
import Magical

extension PostgreSQLFields {
  /// Appends a field as a value of a type.
  ///
  /// - Throws: `MagicalError` if the type has no such value.
  func append(_ field: Field, of buffer: FieldBuffer, as type: PostgreSQLType) throws {
    switch field.kind {
    // The names of assets have replaced files before.
    case .null, .file: appendNull()
    case .integer: try append(field.integer, as: type)
    case .real: append(real: field.real)
    case .text: try append(textBytes: buffer.bytes(of: field), as: type)
    case .largeText: try append(textBytes: buffer.largeBytes(of: field), as: type)
    case .blob: append(bytes: buffer.bytes(of: field))
    case .largeBlob: append(bytes: buffer.largeBytes(of: field))
    }
  }

  private func append(_ integer: Int64, as type: PostgreSQLType) throws {
    switch type {
    case .boolean: append(boolean: integer != 0)
    case .float8: append(real: Double(integer))
    default: append(integer: integer)
    }
  }

  func append(textBytes: UnsafeRawBufferPointer, as type: PostgreSQLType) throws {
    guard type == .uuid else {
      // The length of a value has 31 bits.
      guard textBytes.count < 1 << 29 else {
        throw MagicalError.cannotEncode("the text is longer than PostgreSQL can store")
      }
      return append(text: textBytes)
    }
    guard let uuid = UUIDText.bytes(of: textBytes) else {
      throw MagicalError.cannotEncode("the text is not a UUID")
    }
    withUnsafeBytes(of: uuid) { append(bytes: $0) }
  }
}

/// A writer that appends one value.
struct FieldWriter: MagicalWriter {
  let fields: PostgreSQLFields

  func write(integer: Int64) { fields.append(integer: integer) }
  func write(real: Double) { fields.append(real: real) }
  func write(text: UnsafeRawBufferPointer) { fields.append(text: text) }
  func write(blob: UnsafeRawBufferPointer) { fields.append(bytes: blob) }
}

/// The text of a UUID, as the library stores it in other engines.
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
