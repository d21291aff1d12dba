/// Parses a text in the syntax of searches, as FTS5 does. The precedence of the operators is, from low
/// to high: OR, AND, NOT, adjacency.
struct SearchParser {
  private let tokens: [SearchToken]
  private var position = 0
  private var depth = 0
  /// The number of searchable columns.
  private let columnCount: Int
  /// Divides a text into words.
  private let words: (String) -> [[UInt8]]

  /// The greatest depth of parentheses. It is less than that of FTS5, because the SQL of a search is
  /// parsed by the server with a limited stack.
  private static let depthLimit = 128

  /// - Throws: ``SearchSyntaxError``.
  static func parse(
    _ text: String, columnCount: Int, words: @escaping (String) -> [[UInt8]]
  ) throws(SearchSyntaxError) -> SearchNode {
    var parser = SearchParser(
      tokens: try SearchToken.tokens(of: text), columnCount: columnCount, words: words)
    // A text without any token finds nothing.
    guard !parser.tokens.isEmpty else { return .nothing }
    let node = try parser.disjunction()
    guard parser.next == nil else { throw Self.unexpected }
    return node
  }

  private init(
    tokens: [SearchToken], columnCount: Int, words: @escaping (String) -> [[UInt8]]
  ) {
    (self.tokens, self.columnCount, self.words) = (tokens, columnCount, words)
  }

  private static let unexpected = SearchSyntaxError(message: "a part is at a wrong place")

  // MARK: Tokens

  private var next: SearchToken? { token(0) }

  private func token(_ offset: Int) -> SearchToken? {
    let index = position + offset
    return index < tokens.count ? tokens[index] : nil
  }

  private mutating func skip(_ token: SearchToken) -> Bool {
    guard next == token else { return false }
    position += 1
    return true
  }

  private mutating func skip(_ symbol: Character) -> Bool { skip(.symbol(symbol)) }

  private mutating func require(_ symbol: Character) throws(SearchSyntaxError) {
    guard skip(symbol) else { throw Self.unexpected }
  }

  private mutating func text() throws(SearchSyntaxError) -> String {
    guard case .text(let text, _) = next else { throw Self.unexpected }
    position += 1
    return text
  }

  // MARK: Operators

  private mutating func disjunction() throws(SearchSyntaxError) -> SearchNode {
    var node = try conjunction()
    while skip(.or) { node = .or(node, try conjunction()) }
    return node
  }

  private mutating func conjunction() throws(SearchSyntaxError) -> SearchNode {
    var node = try difference()
    while skip(.and) { node = .and(node, try difference()) }
    return node
  }

  private mutating func difference() throws(SearchSyntaxError) -> SearchNode {
    var node = try operand()
    while skip(.not) { node = .not(node, try operand()) }
    return node
  }

  /// Parses an expression in parentheses, which may have a column filter, or adjacent phrases.
  private mutating func operand() throws(SearchSyntaxError) -> SearchNode {
    if next == .symbol("(") { return try parentheses() }
    let start = position
    if let columns = try columnFilter() {
      if next == .symbol("(") { return try parentheses().restricted(to: columns) }
      position = start
    }
    var node = try filteredPhrases()
    while startsPhrases { node = .adjacent(node, try filteredPhrases()) }
    return node
  }

  private mutating func parentheses() throws(SearchSyntaxError) -> SearchNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw SearchSyntaxError(message: "it has too many levels")
    }
    try require("(")
    let node = try disjunction()
    try require(")")
    return node
  }

  /// Whether the next token begins phrases that follow others without an operator.
  private var startsPhrases: Bool {
    switch next {
    case .text, .symbol("^"), .symbol("-"), .symbol("{"): true
    default: false
    }
  }

  // MARK: Columns

  /// Parses `c0 :`, `{c0 c1} :` or the same after `-`; nil if there is no filter.
  private mutating func columnFilter() throws(SearchSyntaxError) -> Set<Int>? {
    let isNegative = next == .symbol("-")
    let start = isNegative ? token(1) : next
    var names: [String] = []
    if start == .symbol("{") {
      position += isNegative ? 2 : 1
      repeat { names.append(try text()) } while next != .symbol("}")
      position += 1
    } else {
      guard case .text(let name, _) = start, token(isNegative ? 2 : 1) == .symbol(":") else {
        if isNegative { throw Self.unexpected }
        return nil
      }
      names = [name]
      position += isNegative ? 2 : 1
    }
    try require(":")
    var columns: Set<Int> = []
    for name in names { columns.insert(try column(name)) }
    return isNegative ? Set(0..<columnCount).subtracting(columns) : columns
  }

  private func column(_ name: String) throws(SearchSyntaxError) -> Int {
    let column = (0..<columnCount).first { name == "c\($0)" || name == "C\($0)" }
    guard let column else {
      throw SearchSyntaxError(
        message:
          "it names a property that the index does not have: they are c0 to c\(columnCount - 1)")
    }
    return column
  }

  // MARK: Phrases

  private mutating func filteredPhrases() throws(SearchSyntaxError) -> SearchNode {
    let columns = try columnFilter()
    let node = try phrases()
    return columns.map { node.restricted(to: $0) } ?? node
  }

  private mutating func phrases() throws(SearchSyntaxError) -> SearchNode {
    if case .text(let name, _) = next, token(1) == .symbol("(") { return try near(name) }
    let isFirst = skip("^")
    var phrase = try phrase()
    guard !phrase.words.isEmpty else { return .nothing }
    phrase.isFirst = isFirst
    return .phrases(NearPhrases(phrases: [phrase]))
  }

  private mutating func near(_ name: String) throws(SearchSyntaxError) -> SearchNode {
    guard case .text("NEAR", isQuoted: false) = next else { throw Self.unexpected }
    position += 2
    var near = NearPhrases(phrases: [], distance: 10)
    repeat {
      let phrase = try phrase()
      if !phrase.words.isEmpty { near.phrases.append(phrase) }
    } while next != .symbol(",") && next != .symbol(")")
    if skip(",") {
      let digits = try text()
      guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        throw SearchSyntaxError(message: "the distance of near words is not a number")
      }
      near.distance = Int(digits).map { min($0, 1 << 30) } ?? 1 << 30
    }
    try require(")")
    return near.phrases.isEmpty ? .nothing : .phrases(near)
  }

  /// Parses texts that `+` joins to one phrase. After each of them, `*` makes its last word the
  /// beginning of words.
  private mutating func phrase() throws(SearchSyntaxError) -> SearchPhrase {
    var phrase = SearchPhrase()
    repeat {
      for term in words(try text()) {
        phrase.words.append(SearchPhrase.Word(term: term, isPrefix: false))
      }
      let isPrefix = skip("*")
      if !phrase.words.isEmpty { phrase.words[phrase.words.count - 1].isPrefix = isPrefix }
    } while skip("+")
    return phrase
  }
}
