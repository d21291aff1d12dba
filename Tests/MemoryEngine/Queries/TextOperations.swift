import MagicEngine
import MagicRuntime
import MagicSchema

extension TextTest {
  /// Compiles the test with its values. Texts are compared by code points.
  func compiled(
    _ values: [StoredValue]
  ) throws -> (_ text: StoredValue, _ bytes: StoredBytes) -> Bool {
    let first = values[0]
    guard let value = first.stored else { throw MagicError.malformedQuery }
    switch self {
    case .prefix: return { text, _ in StoredValue.order(text, first) >= 0 }
    case .prefixRange:
      let end = values[1]
      return { text, _ in
        StoredValue.order(text, first) >= 0 && StoredValue.order(text, end) < 0
      }
    case .suffix:
      return { _, bytes in bytes.bytes.suffix(value.bytes.count).elementsEqual(value.bytes) }
    case .substring: return { _, bytes in bytes.contains(value) }
    case .pattern, .exactPattern:
      guard value.bytes.count <= TextPattern.longest else {
        throw MagicError(.invalidQuery, "The pattern of like is too long.")
      }
      let pattern = self == .pattern ? TextPattern(value) : TextPattern(exactly: value)
      return { _, bytes in pattern.matches(bytes) }
    }
  }
}

extension TextFunction {
  func result(_ text: StoredValue) -> StoredValue {
    guard let bytes = text.stored?.bytes else { return .null }
    if self == .asciiLowercased {
      let lower = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
      return lower.withUnsafeBytes { .text(StoredBytes($0)) }
    }
    return TextComputation.withCase(self == .lowercased, of: bytes) { .text(StoredBytes($0)) }
  }
}

/// A pattern of LIKE: `%` matches any text, `_` any character, and `\` escapes. The letters
/// A to Z match in either case. Or a pattern of GLOB, which has `*`, `?` and `[c]`, and is
/// case-sensitive.
struct TextPattern {
  private enum Part {
    case text
    case character
    case exactly(UInt32)
  }

  static let longest = 50_000

  private var parts: [Part] = []
  /// Whether the pattern ends with an escape character. It matches nothing then.
  private var isBroken = false
  private var isExact = false

  init(exactly pattern: StoredBytes) {
    isExact = true
    var scalars = Self.scalars(of: pattern, isExact: true)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case 0x2A: parts.append(.text)
      case 0x3F: parts.append(.character)
      case 0x5B:
        if let literal = scalars.popFirst(), scalars.popFirst() == 0x5D {
          parts.append(.exactly(literal))
        } else {
          isBroken = true
        }
      default: parts.append(.exactly(scalar))
      }
    }
  }

  init(_ pattern: StoredBytes) {
    var scalars = Self.scalars(of: pattern)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case 0x25: parts.append(.text)
      case 0x5F: parts.append(.character)
      case 0x5C:
        if let escaped = scalars.popFirst() {
          parts.append(.exactly(escaped))
        } else {
          isBroken = true
        }
      default: parts.append(.exactly(scalar))
      }
    }
  }

  /// A NUL character ends a text. A to Z are converted to lower case, unless the case matters.
  private static func scalars(of text: StoredBytes, isExact: Bool = false) -> [UInt32] {
    String(decoding: text.bytes.prefix { $0 != 0 }, as: UTF8.self).unicodeScalars.map { scalar in
      !isExact && (0x41...0x5A).contains(scalar.value) ? scalar.value + 32 : scalar.value
    }
  }

  func matches(_ text: StoredBytes) -> Bool {
    if isBroken { return false }
    let scalars = Self.scalars(of: text, isExact: isExact)
    var (place, part) = (0, 0)
    // The last `%`, and the position in the text at which the rest of the pattern was last tried.
    var last: (part: Int, place: Int)?
    while place < scalars.count {
      if part < parts.count, case .text = parts[part] {
        last = (part, place)
        part += 1
      } else if part < parts.count, matches(parts[part], scalars[place]) {
        (place, part) = (place + 1, part + 1)
      } else if let tried = last {
        last = (tried.part, tried.place + 1)
        (place, part) = (tried.place + 1, tried.part + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .text = $0 { true } else { false } }
  }

  private func matches(_ part: Part, _ scalar: UInt32) -> Bool {
    switch part {
    case .text: false
    case .character: true
    case .exactly(let other): other == scalar
    }
  }
}
