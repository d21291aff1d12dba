import MagicEngine
import MagicSchema

/// Writes a match in the syntax of searches, and collects its phrases.
struct MatchWriter {
  /// The searched columns; nil for all columns.
  private let columns: Set<Int>?
  private var phrases: [TextSearch.Phrase] = []
  private var wordCount = 0
  private var depth = 0

  private static let wordLimit = 1_000
  private static let sizeLimit = 65_536
  private static let depthLimit = 32

  /// Returns the search of a match, or the error of a match that cannot be searched.
  ///
  /// - Parameter columns: the searched columns, as indexes in the search index; nil for all columns.
  static func search(
    _ match: MagicMatch, in columns: Set<Int>?, of schema: ObjectSchema
  ) -> TextSearch {
    var writer = MatchWriter(columns: columns)
    do {
      guard schema.search != nil else { throw MagicError.nothingSearchable(schema) }
      var text = try writer.write(match)
      if let columns {
        let names = columns.sorted().map { "c\($0)" }.joined(separator: " ")
        text = "{\(names)} : (\(text))"
      }
      guard text.utf8.count <= sizeLimit else { throw tooLarge }
      return TextSearch(text: QueryExpression(.text(text)), phrases: writer.phrases)
    } catch {
      return TextSearch(text: QueryExpression(error), phrases: [])
    }
  }

  private init(columns: Set<Int>?) { self.columns = columns }

  private static let tooLarge = MagicError(
    .invalidQuery,
    "The search is too large. At most 1,000 words, 64 KB and 32 levels are possible.")

  private mutating func write(_ match: MagicMatch) throws -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw Self.tooLarge }
    switch match.node {
    case .typed(let text): return try typed(text)
    case .phrase(let text, let isPrefix): return try phrase(text, isPrefix: isPrefix)
    case .near(let texts, let distance):
      guard distance >= 0 else {
        throw MagicError(.invalidQuery, "The distance of near words is negative. Use 0 or more.")
      }
      guard !texts.isEmpty else { return "\"\"" }
      let all = try texts.map { try phrase($0, isPrefix: false) }.joined(separator: " ")
      return "NEAR(\(all), \(min(distance, 1_000_000)))"
    case .raw(let text): return "(\(Self.withoutNUL(text)))"
    case .and(let parts): return try conjunction(parts)
    case .or(let parts):
      return "(\(try parts.map { try write($0) }.joined(separator: " OR ")))"
    case .not:
      throw MagicError(
        .invalidQuery,
        "A search only excludes words, or excludes them in one of several alternatives. Combine it with "
          + "a search for words with &&.")
    }
  }

  private mutating func conjunction(_ parts: [MagicMatch]) throws -> String {
    var found: [String] = []
    var excluded: [String] = []
    let known = phrases
    for case .not(let part) in parts.map(\.node) { excluded.append(try write(part)) }
    // What is excluded is not in the text.
    phrases = known
    for part in parts {
      if case .not = part.node { continue }
      found.append(try write(part))
    }
    guard !found.isEmpty else { return try write(!MagicMatch(.typed(""))) }
    let all = "(\(found.joined(separator: " AND ")))"
    return excluded.isEmpty ? all : "(\(all) NOT (\(excluded.joined(separator: " OR "))))"
  }

  /// Adjacent phrases are a conjunction, from which phrases without letters and digits are left out.
  private mutating func typed(_ text: String) throws -> String {
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }
    guard !words.isEmpty else { return "\"\"" }
    let isOpen = text.unicodeScalars.last.map { !$0.properties.isWhitespace } ?? false
    var parts: [String] = []
    for (index, word) in words.enumerated() {
      parts.append(
        try phrase(String(word), isPrefix: isOpen && index == words.count - 1))
    }
    return "(\(parts.joined(separator: " ")))"
  }

  private mutating func phrase(_ text: String, isPrefix: Bool) throws -> String {
    wordCount += 1
    guard wordCount <= Self.wordLimit, text.utf8.count <= Self.sizeLimit else {
      throw Self.tooLarge
    }
    phrases.append(TextSearch.Phrase(text: text, isPrefix: isPrefix, columns: columns))
    var quoted = "\""
    for scalar in Self.withoutNUL(text).unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + (isPrefix ? "\"*" : "\"")
  }

  /// The text with spaces instead of NUL characters, which would end it.
  private static func withoutNUL(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(decoding: text.utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}
