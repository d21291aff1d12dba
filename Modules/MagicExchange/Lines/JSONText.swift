import MagicRuntime
import Magical

/// The forms of texts and numbers that JSON permits, as RFC 8259 defines them.
package enum JSONText {
  /// Returns the content of a text; nil for other values.
  package static func quoted(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"")
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
  }

  /// Returns a text without its escape sequences; nil if it contains an invalid one, half of a pair of
  /// surrogates, a control character, or bytes that are not UTF-8.
  package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard isValid(text) else { return nil }
    return text.hasEscapes ? JSONValue.unescaped(text) : Array(text)
  }

  /// Whether the content of a text has no invalid escape sequence, no half of a pair of surrogates, no control
  /// character, and only bytes that are UTF-8.
  static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    text.allSatisfy { $0 >= 0x20 } && UTF8Validation.isValid(text)
      && (!text.hasEscapes || hasValidEscapes(text))
  }

  /// Returns the content of a text as a string; nil in the cases of ``decoded(_:)``.
  package static func string(_ text: UnsafeRawBufferPointer) -> String? {
    guard isValid(text) else { return nil }
    return text.hasEscapes
      ? String(decoding: JSONValue.unescaped(text), as: UTF8.self)
      : String(decoding: text, as: UTF8.self)
  }

  /// Whether the content of a text begins with a character of ASCII, also as an escape sequence.
  package static func begins(_ text: UnsafeRawBufferPointer, with character: Unicode.Scalar) -> Bool
  {
    guard text.first == UInt8(ascii: "\\") else { return text.first == UInt8(ascii: character) }
    return decoded(text)?.first == UInt8(ascii: character)
  }

  private static let highSurrogates: Range<UInt32> = 0xD800..<0xDC00
  private static let lowSurrogates: Range<UInt32> = 0xDC00..<0xE000

  private static func hasValidEscapes(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    /// Reads the digits of a unit of UTF-16 after its `\u`.
    func unit() -> UInt32? {
      guard place + 6 <= text.count, text[place] == UInt8(ascii: "\\"),
        text[place + 1] == UInt8(ascii: "u"),
        text[(place + 2)..<(place + 6)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else { return nil }
      defer { place += 6 }
      return UInt32(String(decoding: text[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
    }
    while place < text.count {
      guard text[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      guard place + 1 < text.count else { return false }
      guard text[place + 1] == UInt8(ascii: "u") else {
        guard "\"\\/bfnrt".utf8.contains(text[place + 1]) else { return false }
        place += 2
        continue
      }
      guard let first = unit(), !lowSurrogates.contains(first) else { return false }
      if highSurrogates.contains(first) {
        guard let second = unit(), lowSurrogates.contains(second) else { return false }
      }
    }
    return true
  }

  /// Whether bytes are a number.
  package static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    func skipDigits() -> Int {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let count = skipDigits()
    guard count > 0, !startsWithZero || count == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard skipDigits() > 0 else { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
