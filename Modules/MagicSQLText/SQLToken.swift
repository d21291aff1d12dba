/// A token of an SQL statement.
package enum SQLToken: Equatable {
  /// A keyword or an unquoted name.
  case word(String)
  /// A quoted name, without its quotes.
  case name(String)
  /// A literal.
  case value
  /// `?`, `?1`, `:name`, `@name` or `$name`.
  case parameter
  case symbol(String)

  /// The name; nil for tokens that cannot be a name. A keyword can be a name too.
  package var identifier: String? {
    switch self {
    case .word(let text), .name(let text): text
    case .value, .parameter, .symbol: nil
    }
  }

  /// The text in upper case; nil for tokens that cannot be a keyword.
  package var keyword: String? {
    guard case .word(let text) = self else { return nil }
    return text.uppercased()
  }
}

extension SQLToken {
  /// Returns the tokens of a statement without its comments.
  package static func all(of sql: String, dialect: SQLDialect) -> [SQLToken] {
    located(in: sql, dialect: dialect).map(\.token)
  }

  /// Returns the tokens of a statement with their ranges, as offsets of UTF-8 code units.
  package static func located(
    in sql: String, dialect: SQLDialect
  ) -> [(token: SQLToken, range: Range<Int>)] {
    var located: [(token: SQLToken, range: Range<Int>)] = []
    var brackets: [SQLToken] = []
    var rest = Substring(sql).unicodeScalars
    func offset(_ index: String.Index) -> Int { sql.utf8.distance(from: sql.startIndex, to: index) }
    while !rest.isEmpty {
      let start = offset(rest.startIndex)
      // The colon of `[1:2]`.
      let isInSlice =
        brackets.last == .symbol("[")
        && located.last.map { $0.range.upperBound == start && $0.token.endsOperand } ?? false
      guard let token = next(in: &rest, dialect, isInSlice: isInSlice) else { continue }
      switch token {
      case .symbol("("), .symbol("["): brackets.append(token)
      case .symbol(")"), .symbol("]"): _ = brackets.popLast()
      default: break
      }
      located.append((token, start..<offset(rest.startIndex)))
    }
    return located
  }

  private var endsOperand: Bool {
    if case .symbol(let symbol) = self { return symbol == ")" || symbol == "]" }
    return true
  }

  /// Removes white space, a comment or the next token.
  ///
  /// - Parameter isInSlice: whether a colon is that between the bounds of a slice.
  /// - Returns: nil for white space and comments.
  private static func next(
    in rest: inout Substring.UnicodeScalarView, _ dialect: SQLDialect, isInSlice: Bool
  ) -> SQLToken? {
    guard let first = rest.first else { return nil }
    let isEscaped = dialect == .postgreSQL && rest.dropFirst().first == "'"
    switch first {
    case _ where first.properties.isWhitespace: rest.removeFirst()
    case "-" where rest.starts(with: "--".unicodeScalars): rest = rest.drop { $0 != "\n" }
    case "/" where rest.starts(with: "/*".unicodeScalars):
      var text = Substring(rest).utf8
      SQLComment.removeFirst(from: &text, dialect)
      rest = Substring(text).unicodeScalars
    case "'":
      _ = quoted(&rest, until: "'")
      return .value
    case "E" where isEscaped, "e" where isEscaped:
      rest.removeFirst()
      _ = quoted(&rest, until: "'", escape: "\\")
      return .value
    case "$" where dialect == .postgreSQL && removeDollarQuoted(&rest): return .value
    case "\"": return .name(quoted(&rest, until: first))
    case "`" where dialect == .sqlite: return .name(quoted(&rest, until: first))
    case "[" where dialect == .sqlite: return .name(quoted(&rest, until: "]"))
    case "0"..."9":
      rest = rest.drop { isPartOfWord($0) || $0 == "." }
      return .value
    case "?", ":", "@", "$":
      // In PostgreSQL, the others can be parts of operators, such as `::` and `@>`.
      let isParameter =
        first == "?" || dialect == .sqlite
        || !isInSlice && rest.dropFirst().first.map(isPartOfWord) ?? false
      guard isParameter else { return symbol(&rest) }
      rest.removeFirst()
      rest = rest.drop { isPartOfWord($0) || $0 == "." }
      return .parameter
    case _ where isPartOfWord(first):
      let word = rest.prefix(while: isPartOfWord)
      rest = rest.dropFirst(word.count)
      return .word(String(word))
    default: return symbol(&rest)
    }
    return nil
  }

  private static func symbol(_ rest: inout Substring.UnicodeScalarView) -> SQLToken {
    let length =
      ["<=", ">=", "==", "!=", "<>", "||", "->", "::"].contains {
        rest.starts(with: $0.unicodeScalars)
      } ? 2 : 1
    defer { rest = rest.dropFirst(length) }
    return .symbol(String(rest.prefix(length)))
  }

  /// Removes a text such as `$$…$$` or `$tag$…$tag$`.
  ///
  /// - Returns: whether there was one.
  private static func removeDollarQuoted(_ rest: inout Substring.UnicodeScalarView) -> Bool {
    let tag = rest.dropFirst().prefix { isPartOfWord($0) && $0 != "$" }
    let beginsWithDigit = tag.first.map { ("0"..."9").contains($0) } ?? false
    guard rest[tag.endIndex...].first == "$", !beginsWithDigit else { return false }
    let quote = rest[...tag.endIndex]
    rest = rest.dropFirst(quote.count)
    while !rest.isEmpty, !rest.starts(with: quote) { rest.removeFirst() }
    rest = rest.dropFirst(quote.count)
    return true
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.value > 127
      || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || ("0"..."9").contains(scalar)
  }

  /// Returns the text between quotes. A doubled quote is an escaped quote.
  ///
  /// - Parameter escape: a character that makes the next one a part of the text.
  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar,
    escape: Unicode.Scalar? = nil
  ) -> String {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == escape {
        if let escaped = rest.popFirst() { text.append(escaped) }
        continue
      }
      if scalar == quote {
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      text.append(scalar)
    }
    return String(text)
  }
}
