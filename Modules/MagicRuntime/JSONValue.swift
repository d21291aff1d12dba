/// A value in JSON text.
package enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// A text with its escape sequences, without its quotes.
  case text(UnsafeRawBufferPointer)
  /// An array or an object.
  case container(UnsafeRawBufferPointer)

  /// Reads a value from its bytes. Bytes that are not JSON are null.
  package init(_ bytes: UnsafeRawBufferPointer) {
    switch bytes.first {
    case UInt8(ascii: "\"") where bytes.count >= 2:
      self = .text(UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1]))
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .container(bytes)
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case UInt8(ascii: "-"), .some(0x30...0x39): self = Self.number(bytes)
    default: self = .null
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer) -> JSONValue {
    let text = String(decoding: bytes, as: UTF8.self)
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).map { .real($0) } ?? .null
  }

  /// Whether the value is no array and no object.
  var isScalar: Bool { if case .container = self { false } else { true } }

  /// Returns whether both are the same text, number, truth value, or null.
  func equals(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.integer(let left), .real(let right)): Double(left) == right
    case (.real(let left), .integer(let right)): left == Double(right)
    case (.text(let left), .text(let right)):
      left.elementsEqual(right)
        || ((left.hasEscapes || right.hasEscapes)
          && Self.unescaped(left).elementsEqual(Self.unescaped(right)))
    default: false
    }
  }

  /// Returns whether a text with escape sequences equals a text without.
  static func text(_ text: UnsafeRawBufferPointer, equals other: UnsafeRawBufferPointer) -> Bool {
    text.hasEscapes
      ? unescaped(text).elementsEqual(other)
      : text.count == other.count && text.elementsEqual(other)
  }

  /// Returns a text without its escape sequences.
  package static func unescaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      guard text[place] == UInt8(ascii: "\\"), place + 1 < text.count else {
        result.append(text[place])
        place += 1
        continue
      }
      let escaped = text[place + 1]
      place += 2
      switch escaped {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        result += Character(codePoint(text, &place)).utf8
      default: result.append(escaped)
      }
    }
    return result
  }

  /// Reads the four digits after `\u`, and those of the second half of a pair.
  private static func codePoint(
    _ text: UnsafeRawBufferPointer, _ place: inout Int
  ) -> Unicode.Scalar {
    func unit() -> UInt32? {
      guard place + 4 <= text.count else { return nil }
      defer { place += 4 }
      return UInt32(String(decoding: text[place..<place + 4], as: UTF8.self), radix: 16)
    }
    guard let first = unit() else { return "\u{FFFD}" }
    if (0xD800..<0xDC00).contains(first), place + 1 < text.count, text[place] == 0x5C,
      text[place + 1] == UInt8(ascii: "u")
    {
      place += 2
      if let second = unit(), (0xDC00..<0xE000).contains(second) {
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
      }
    }
    return Unicode.Scalar(first) ?? "\u{FFFD}"
  }
}

/// The kind of value that is read from JSON text. Values of other kinds are nil.
package enum JSONKind: Int, Sendable {
  case integer, real, bool, text
  /// An array or an object, as JSON.
  case container
}

extension JSONValue {
  /// Returns the value if it has a kind, otherwise nil. A number without a fraction is of both kinds
  /// of numbers.
  package func value(of kind: JSONKind) -> JSONValue? {
    switch (kind, self) {
    case (.integer, .integer), (.real, .real), (.bool, .bool), (.text, .text),
      (.container, .container):
      self
    case (.integer, .real(let real)): Int64(exactly: real).map { .integer($0) }
    case (.real, .integer(let integer)): .real(Double(integer))
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  package var hasEscapes: Bool { contains(UInt8(ascii: "\\")) }
}
