/// A token of a text in the syntax of searches, which is that of FTS5:
/// https://www.sqlite.org/fts5.html#full_text_query_syntax
enum SearchToken: Equatable {
  /// A bareword, or a text in quotation marks without them.
  case text(String, isQuoted: Bool)
  case and, or, not
  /// One of the characters `( ) { } : , + * - ^`.
  case symbol(Character)

  /// Divides a text into tokens.
  ///
  /// - Throws: ``SearchSyntaxError``.
  static func tokens(of text: String) throws(SearchSyntaxError) -> [SearchToken] {
    var tokens: [SearchToken] = []
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.first {
      switch scalar {
      case " ", "\t", "\n", "\r": rest.removeFirst()
      case "(", ")", "{", "}", ":", ",", "+", "*", "-", "^":
        rest.removeFirst()
        tokens.append(.symbol(Character(scalar)))
      case "\"": tokens.append(try quoted(&rest))
      // The text ends at a NUL character.
      case "\0": return tokens
      default: tokens.append(try bareword(&rest))
      }
    }
    return tokens
  }

  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(SearchSyntaxError) -> SearchToken {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\"" else {
        guard scalar != "\0" else { break }
        text.append(scalar)
        continue
      }
      // Two quotation marks are one of the text.
      guard rest.first == "\"" else { return .text(String(text), isQuoted: true) }
      rest.removeFirst()
      text.append(scalar)
    }
    throw SearchSyntaxError(message: "a quotation mark is missing")
  }

  private static func bareword(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(SearchSyntaxError) -> SearchToken {
    let word = String(rest.prefix(while: isBareword))
    guard !word.isEmpty else {
      throw SearchSyntaxError(message: "a character must be in quotation marks")
    }
    rest.removeFirst(word.unicodeScalars.count)
    switch word {
    case "AND": return .and
    case "OR": return .or
    case "NOT": return .not
    default: return .text(word, isQuoted: false)
    }
  }

  private static func isBareword(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "A"..."Z", "a"..."z", "_", "\u{1A}": true
    default: scalar.value >= 0x80
    }
  }
}

/// A mistake in the text of a search.
package struct SearchSyntaxError: Error {
  package let message: String
}
