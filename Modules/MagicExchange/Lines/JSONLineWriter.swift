import DatabaseTransfer
import Magical

/// Writes rows as lines of JSON: an object a line, with a member for each column.
///
/// Integers and Boolean values are those of JSON. A real number is written with the digits that
/// identify it; an infinite one and NaN are texts. A blob is a text in Base64, a UUID a text. A text
/// that is not valid UTF-8 is an object: `{"base64": "…"}`.
struct JSONLineWriter {
  /// The names of the columns with their quotes, and the colon after them.
  private let keys: [[UInt8]]
  private(set) var bytes: [UInt8] = []

  init(names: [String]) {
    keys = names.map { name in
      var key: [UInt8] = []
      Array(name.utf8).withUnsafeBytes { Self.write(text: $0, to: &key) }
      return key + ":".utf8
    }
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a line.
  mutating func write(_ values: [TransferredValue]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += keys[index]
      write(value)
    }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func write(_ value: TransferredValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .integer(let integer): bytes += integer.description.utf8
    case .boolean(let boolean): bytes += (boolean ? "true" : "false").utf8
    case .real(let real): write(real)
    case .text(let text):
      if !text.withUnsafeBytes({ UTF8Validation.isValid($0) }) {
        bytes += "{\"base64\":\"".utf8
        Base64.append(text, to: &bytes)
        bytes += "\"}".utf8
      } else {
        text.withUnsafeBytes { Self.write(text: $0, to: &bytes) }
      }
    case .blob(let blob):
      bytes.append(UInt8(ascii: "\""))
      Base64.append(blob, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .uuid(let uuid):
      TransferredValue.uuidText(uuid).withUnsafeBytes { Self.write(text: $0, to: &bytes) }
    }
  }

  private mutating func write(_ real: Double) {
    if real.isFinite {
      bytes += real.description.utf8
    } else {
      let name = real.isNaN ? "NaN" : real < 0 ? "-Infinity" : "Infinity"
      bytes += "\"\(name)\"".utf8
    }
  }

  private static func write(text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case 0..<0x20, 0x7F:
        bytes += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
