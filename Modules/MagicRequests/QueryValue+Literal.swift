import MagicSchema

extension QueryValue {
  /// The value as an SQL literal that is read as exactly the value. Nil for a value that has no such
  /// literal: an object, a list, a text with a NUL character, or a floating-point number that has a
  /// fraction with more than 15 digits.
  package var literal: String? {
    switch self {
    case .null: "NULL"
    // In parentheses, because two minus signs begin a comment.
    case .integer(let integer): integer < 0 ? "(\(integer))" : "\(integer)"
    case .real(let real): Self.literal(of: real)
    case .text(let text): text.utf8.contains(0) ? nil : text.literal
    case .blob(let bytes): Self.literal(of: bytes)
    case .object, .list: nil
    }
  }

  private static func literal(of real: Double) -> String? {
    guard real.isFinite, real != 0 || real.sign == .plus else { return nil }
    let text = String(describing: real)
    let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits <= 15, !text.contains("e") else { return nil }
    return real < 0 ? "(\(text))" : text
  }

  private static func literal(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF")
    return "X'" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "'"
  }

  /// Whether the other value has the same literal.
  func hasSameLiteral(as other: QueryValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }
}
