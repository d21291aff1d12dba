/// Splits a text into tokens.
struct TextLexer {
  /// The maximum length of a text in bytes.
  static let lengthLimit = 65_536
  private static let pairs: Set<String> = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"]
  private static let symbols = Set("=<>!+-*/()[]{},.".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  private var index = 0

  static func tokens(of text: String) throws -> [TextToken] {
    guard text.utf8.count <= lengthLimit else {
      throw TextMistake("The text is too long. At most 64 KiB are possible.", at: 0)
    }
    var lexer = TextLexer(scalars: Array(text.unicodeScalars))
    var tokens: [TextToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.form != .end
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  private var following: Unicode.Scalar? {
    index + 1 < scalars.count ? scalars[index + 1] : nil
  }

  private mutating func next() throws -> TextToken {
    while let scalar = current, scalar.properties.isWhitespace { index += 1 }
    let start = index
    guard let scalar = current else { return TextToken(form: .end, position: start) }
    return TextToken(form: try form(scalar), position: start)
  }

  private mutating func form(_ scalar: Unicode.Scalar) throws -> TextToken.Form {
    switch scalar {
    case "\"", "'": return .text(try quoted(scalar))
    case "0"..."9": return .number(number())
    case "." where following?.isDigit == true: return .number(number())
    case "$":
      index += 1
      return try argument()
    case "%":
      index += 1
      guard let letter = current, "@Kdifusl".unicodeScalars.contains(letter) else {
        throw TextMistake("After % there is no @, K, d or f.", at: index - 1)
      }
      index += 1
      // The length modifiers of C: %ld, %lu, %lf.
      while letter == "l", let more = current, "lduif".unicodeScalars.contains(more) { index += 1 }
      return .format(Character(letter))
    case "#":
      index += 1
      return .name(try name("After # there is no name."))
    case "@":
      index += 1
      return .function(try name("After @ there is no name."))
    case _ where scalar.beginsName: return .word(try name(""))
    default: return try symbol(scalar)
    }
  }

  private mutating func symbol(_ scalar: Unicode.Scalar) throws -> TextToken.Form {
    let start = index
    index += 1
    if let second = current {
      let pair = String(scalar) + String(second)
      if Self.pairs.contains(pair) {
        index += 1
        return .symbol(pair)
      }
    }
    guard Self.symbols.contains(scalar) else {
      throw TextMistake("There is an unexpected character.", at: start)
    }
    return .symbol(String(scalar))
  }

  private mutating func name(_ reason: String) throws -> String {
    let start = index
    guard let first = current, first.beginsName else { throw TextMistake(reason, at: start - 1) }
    while let scalar = current, scalar.continuesName { index += 1 }
    return string(start..<index)
  }

  private mutating func argument() throws -> TextToken.Form {
    let start = index
    guard current?.isDigit == true else {
      return .named(try name("After $ there is no name and no number."))
    }
    while current?.isDigit == true { index += 1 }
    guard index - start <= 6, let number = Int(string(start..<index)) else {
      throw TextMistake("The number of the argument is too large.", at: start - 1)
    }
    return .indexed(number)
  }

  private mutating func number() -> String {
    let start = index
    while current?.isDigit == true { index += 1 }
    if current == ".", following?.isDigit == true {
      index += 1
      while current?.isDigit == true { index += 1 }
    }
    if current == "e" || current == "E" {
      let hasSign = following == "+" || following == "-"
      let digit = index + (hasSign ? 2 : 1)
      if digit < scalars.count, scalars[digit].isDigit {
        index = digit
        while current?.isDigit == true { index += 1 }
      }
    }
    let text = string(start..<index)
    return text.hasPrefix(".") ? "0" + text : text
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws -> String {
    let start = index
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = current {
      index += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw TextMistake("The text in quotes has no end.", at: start)
  }

  private mutating func escaped() throws -> Unicode.Scalar {
    let start = index - 1
    guard let scalar = current else {
      throw TextMistake("The text in quotes has no end.", at: start)
    }
    index += 1
    switch scalar {
    case "\\", "\"", "'": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u", "U":
      let digits = string(index..<min(index + 4, scalars.count))
      if digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16), let result = Unicode.Scalar(value)
      {
        index += 4
        return result
      }
    default: break
    }
    throw TextMistake(
      "The escape sequence is unknown. Write \\\\, \\\", \\', \\n, \\r, \\t or \\u with 4 digits.",
      at: start)
  }

  private func string(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var beginsName: Bool { self == "_" || properties.isIDStart }
  fileprivate var continuesName: Bool { self == "_" || properties.isIDContinue }
}

extension String {
  /// Whether the text is a name that a text can contain.
  var isName: Bool {
    guard let first = unicodeScalars.first, first.beginsName else { return false }
    return unicodeScalars.allSatisfy(\.continuesName)
  }
}
