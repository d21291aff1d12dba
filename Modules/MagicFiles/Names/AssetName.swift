/// The name of a file in an ``AssetFolder``, such as "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1a2b.txt".
///
/// Sixteen hexadecimal digits are the name of the batch, and sixteen more identify the file. They
/// are followed by the size in bytes as a hexadecimal number, by which a truncated file is
/// detected. A name has exactly one valid spelling.
package struct AssetName: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  package let size: Int

  /// Parses a name; nil unless it has exactly the format above.
  package init?(_ text: String) {
    guard (Self.prefixLength + 1...Self.maximumLength).contains(text.utf8.count) else { return nil }
    let bytes = Array(text.utf8)
    guard bytes[16] == UInt8(ascii: "/"), bytes[33] == UInt8(ascii: "-"),
      bytes[..<16].allSatisfy(\.isHexDigit), bytes[17..<33].allSatisfy(\.isHexDigit)
    else { return nil }
    let rest = bytes[Self.prefixLength...]
    let digits = rest.prefix { $0 != UInt8(ascii: ".") }
    guard let size = Self.size(digits) else { return nil }
    if digits.endIndex < rest.endIndex {
      let tail = String(decoding: rest[(digits.endIndex + 1)...], as: UTF8.self)
      guard Self.isExtension(tail) else { return nil }
    }
    self.text = text
    self.size = size
  }

  /// - Parameter pathExtension: an extension that ``isExtension(_:)`` accepts.
  init(batch: String, digits: String, size: Int, pathExtension: String?) {
    let suffix = pathExtension.map { "." + $0 } ?? ""
    text = "\(batch)/\(digits)-\(String(size, radix: 16))\(suffix)"
    self.size = size
  }

  package var batch: String { String(text.utf8.prefix(16)) ?? "" }

  /// The name without the batch.
  package var file: String { String(text.utf8.dropFirst(17)) ?? "" }

  package var pathExtension: String? {
    text.utf8.firstIndex(of: UInt8(ascii: ".")).flatMap {
      String(text.utf8[text.utf8.index(after: $0)...])
    }
  }

  package var description: String { text }

  /// Whether a text is valid as the path extension: 1 to 32 of `[A-Za-z0-9._-]`, no period at the
  /// beginning, and no two periods in a row.
  package static func isExtension(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    return (1...32).contains(bytes.count) && bytes[0] != dot
      && bytes.allSatisfy(\.isExtensionCharacter)
      && !zip(bytes, bytes.dropFirst()).contains { $0 == dot && $1 == dot }
  }

  private static let prefixLength = 34
  private static let maximumLength = prefixLength + 16 + 1 + 32

  private static func size(_ digits: ArraySlice<UInt8>) -> Int? {
    guard let first = digits.first, digits.allSatisfy(\.isHexDigit),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  fileprivate var isExtensionCharacter: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension String {
  /// Whether this is a valid name of a batch, which has the same format as the first part of a file
  /// name.
  var isSixteenHexDigits: Bool { utf8.count == 16 && utf8.allSatisfy(\.isHexDigit) }

  /// Returns sixteen random digits, which are practically unique.
  static func randomHexDigits() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
