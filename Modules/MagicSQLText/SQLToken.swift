/// A token of an SQL statement.
package enum SQLToken: Equatable {
  /// A keyword or an unquoted name.
  case word(String)
  /// A quoted name, without its quotes.
  case name(String)
  /// A literal or a parameter.
  case value
  case symbol(String)

  /// The name; nil for tokens that cannot be a name. A keyword can be a name too.
  package var identifier: String? {
    switch self {
    case .word(let text), .name(let text): text
    case .value, .symbol: nil
    }
  }

  /// The text in upper case; nil for tokens that cannot be a keyword.
  package var keyword: String? {
    guard case .word(let text) = self else { return nil }
    return text.uppercased()
  }
}

extension SQLToken {
  /// Returns the tokens of a statement without its comments. SQLite must have compiled the
  /// statement.
  package static func all(of sql: String) -> [SQLToken] { located(in: sql).map(\.token) }

  /// Returns the tokens of a statement with their ranges, as offsets of UTF-8 code units.
  package static func located(in sql: String) -> [(token: SQLToken, range: Range<Int>)] {
    var located: [(token: SQLToken, range: Range<Int>)] = []
    var rest = Substring(sql).unicodeScalars
    func offset(_ index: String.Index) -> Int { sql.utf8.distance(from: sql.startIndex, to: index) }
    while !rest.isEmpty {
      let start = offset(rest.startIndex)
      if let token = next(in: &rest) { located.append((token, start..<offset(rest.startIndex))) }
    }
    return located
  }

  /// Removes white space, a comment or the next token.
  ///
  /// - Returns: nil for white space and comments.
  private static func next(in rest: inout Substring.UnicodeScalarView) -> SQLToken? {
    guard let first = rest.first else { return nil }
    switch first {
    case _ where first.properties.isWhitespace: rest.removeFirst()
    case "-" where rest.starts(with: "--".unicodeScalars): rest = rest.drop { $0 != "\n" }
    case "/" where rest.starts(with: "/*".unicodeScalars):
      rest.removeFirst(2)
      while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
      rest = rest.dropFirst(2)
    case "'":
      _ = quoted(&rest, until: "'")
      return .value
    case "\"", "`": return .name(quoted(&rest, until: first))
    case "[": return .name(quoted(&rest, until: "]"))
    case "0"..."9", "?", ":", "@", "$":
      rest.removeFirst()
      rest = rest.drop { isPartOfWord($0) || $0 == "." }
      return .value
    case _ where isPartOfWord(first):
      let word = rest.prefix(while: isPartOfWord)
      rest = rest.dropFirst(word.count)
      return .word(String(word))
    default:
      let length =
        ["<=", ">=", "==", "!=", "<>", "||", "->"].contains {
          rest.starts(with: $0.unicodeScalars)
        } ? 2 : 1
      defer { rest = rest.dropFirst(length) }
      return .symbol(String(rest.prefix(length)))
    }
    return nil
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.value > 127
      || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || ("0"..."9").contains(scalar)
  }

  /// Returns the text between quotes. A doubled quote is an escaped quote.
  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar
  ) -> String {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote {
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      text.append(scalar)
    }
    return String(text)
  }
}
