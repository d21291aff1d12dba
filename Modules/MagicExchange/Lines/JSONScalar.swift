package import DatabaseTransfer
import MagicRuntime
import Magical

/// Values as JSON, as exports and documents of objects contain them.
///
/// Integers and Boolean values are those of JSON. A real number is written with the digits that
/// identify it; an infinite one and NaN are texts. A blob is a text in Base64, a UUID a text. A text
/// that is not valid UTF-8 is an object: `{"base64": "…"}`.
package enum JSONScalar {
  // MARK: Writing

  package static func write(_ value: TransferredValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .integer(let integer): bytes += integer.description.utf8
    case .boolean(let boolean): bytes += (boolean ? "true" : "false").utf8
    case .real(let real): write(real, to: &bytes)
    case .text(let text):
      if !text.withUnsafeBytes({ UTF8Validation.isValid($0) }) {
        bytes += "{\"base64\":\"".utf8
        Base64.append(text, to: &bytes)
        bytes += "\"}".utf8
      } else {
        text.withUnsafeBytes { write(text: $0, to: &bytes) }
      }
    case .blob(let blob):
      bytes.append(UInt8(ascii: "\""))
      Base64.append(blob, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .uuid(let uuid):
      TransferredValue.uuidText(uuid).withUnsafeBytes { write(text: $0, to: &bytes) }
    }
  }

  private static func write(_ real: Double, to bytes: inout [UInt8]) {
    if real.isFinite {
      bytes += real.description.utf8
    } else {
      let name = real.isNaN ? "NaN" : real < 0 ? "-Infinity" : "Infinity"
      bytes += "\"\(name)\"".utf8
    }
  }

  /// Writes a text in UTF-8 with its quotes.
  package static func write(text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
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

  // MARK: Reading

  /// Returns the value of a kind that JSON contains; nil if it is another value.
  package static func value(
    _ bytes: UnsafeRawBufferPointer, _ kind: TransferredKind
  ) -> TransferredValue? {
    if bytes.elementsEqual("null".utf8) { return .null }
    return switch kind {
    case .integer: integer(bytes).map { .integer($0) }
    case .boolean: boolean(bytes).map { .boolean($0) }
    case .real: real(bytes).map { .real($0) }
    case .text: text(bytes)
    case .blob: blob(bytes).map { .blob($0) }
    case .uuid:
      JSONText.quoted(bytes).flatMap { TransferredValue(uuidText: $0) }
    }
  }

  /// What a value of a kind is, for messages.
  package static func noun(_ kind: TransferredKind) -> String {
    switch kind {
    case .integer: "an integer of 64 bits"
    case .boolean: "true or false"
    case .real: "a number"
    case .text: "a text"
    case .blob: "a text in Base64"
    case .uuid: "the text of a UUID"
    }
  }

  /// Returns an integer of 64 bits; nil for another value.
  package static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard JSONText.isNumber(bytes) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a Boolean value; nil for another value.
  package static func boolean(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    if bytes.elementsEqual("true".utf8) { return true }
    return bytes.elementsEqual("false".utf8) ? false : nil
  }

  /// Returns a number, which is infinite or NaN for their names; nil for another value.
  package static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    if let name = JSONText.quoted(bytes) {
      switch String(decoding: name, as: UTF8.self) {
      case "Infinity": return .infinity
      case "-Infinity": return -.infinity
      case "NaN": return .nan
      default: return nil
      }
    }
    guard JSONText.isNumber(bytes), let real = Double(String(decoding: bytes, as: UTF8.self)),
      real.isFinite
    else { return nil }
    return real
  }

  /// Returns the bytes of a text in Base64; nil for another value.
  package static func blob(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    JSONText.quoted(bytes).flatMap(Base64.bytes)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> TransferredValue? {
    if let text = JSONText.quoted(bytes) { return JSONText.decoded(text).map { .text($0) } }
    var result: [UInt8]?
    let isObject = JSONScanner.forEachMember(of: bytes) { key, value in
      if key.elementsEqual("base64".utf8), let text = JSONText.quoted(value) {
        result = Base64.bytes(of: text)
      }
    }
    return isObject && JSONScanner.count(bytes) == 1 ? result.map { .text($0) } : nil
  }
}
