/// A search in the texts of a type: a row is found if each word is in one of its texts.
///
/// A type with a search index is searched by it, as the library does: words are compared as the type
/// declares, the last one may be the beginning of a word, and the rows have scores. Of a type without
/// one the table is read, and words are found by `LIKE`, so upper and lower case of ASCII letters are
/// equal. This file alone makes the SQL of a search.
public struct RowSearch: Hashable, Sendable {
  /// The words, at most eight.
  public let words: [String]
  /// The columns that are searched: those of the index, else those with the forms of texts, and JSON.
  public let columns: [InspectedColumn]
  /// The search index that finds the words; nil if the table is read.
  public let index: InspectedSearchIndex?
  /// The table of the type.
  private let table: String
  /// Whether the last word may be the beginning of one.
  private let isOpen: Bool

  private static let wordLimit = 8
  private static let lengthLimit = 200
  /// The shortest word that an index of trigrams finds, in characters.
  private static let trigramLength = 3

  /// Creates a search; nil if the text has no word, or the type no text.
  public init?(_ text: String, in type: InspectedType) {
    let words = text.split(whereSeparator: \.isWhitespace).prefix(Self.wordLimit)
      .map { String($0.prefix(Self.lengthLimit)) }
    self.words = words
    table = type.table
    isOpen = text.last.map { !$0.isWhitespace } ?? false
    index = type.searchIndex.flatMap { index in
      index.hasTrigrams && words.contains { $0.count < Self.trigramLength } ? nil : index
    }
    columns = index?.columns.map(\.column) ?? type.columns.filter(Self.hasText)
    guard !words.isEmpty, !columns.isEmpty else { return nil }
  }

  private static func hasText(_ column: InspectedColumn) -> Bool {
    switch column.form {
    case .text, .url, .uuid, .decimal, .json: true
    case .enumeration, .other: column.declaredType.uppercased() == "TEXT"
    default: false
    }
  }

  // MARK: SQL

  /// The condition as SQL.
  var sql: String {
    guard let index else { return Self.like(words, columns) }
    return "\(InspectedType.rowIDColumn.quoted) IN (\(found(by: index, score: nil)))"
  }

  /// The values of the parameters, of the condition and of ``scored``.
  var values: [InspectedValue] {
    guard let index else { return likeValues(columns) }
    return [InspectedValue(.text(match))] + likeValues(Self.textColumns(index))
  }

  /// The names of the columns of ``scored``. No property has such a name.
  static let (foundRow, score) = ("magic_search row", "magic_search score")

  /// A subquery with the row IDs and scores of the rows that the index finds; nil without an index.
  ///
  /// The scores have the weight 1 for each property, because the file does not contain the weights.
  var scored: String? {
    guard let index else { return nil }
    // SQLite computes a score only while it reads the index. With a limit, a subquery is not merged
    // into the statement.
    return "(\(found(by: index, score: "-bm25(\(index.table.quoted))")) LIMIT -1)"
  }

  /// The text in the syntax of the index.
  var match: String {
    let phrases = words.enumerated().map { position, word in
      word.replacing("\0", with: " ").quoted + (isOpen && position == words.count - 1 ? "*" : "")
    }
    return phrases.joined(separator: " ")
  }

  /// The rows that the index finds, and those in the log, whose texts the index does not have yet.
  private func found(by index: InspectedSearchIndex, score: String?) -> String {
    let rowID = InspectedType.rowIDColumn.quoted
    let logged = "(SELECT \(rowID) FROM \(index.log.quoted))"
    func columns(_ row: String, _ score: String?) -> String {
      "\(row) AS \(Self.foundRow.quoted)" + (score.map { ", \($0) AS \(Self.score.quoted)" } ?? "")
    }
    return """
      SELECT \(columns("rowid", score)) FROM \(index.table.quoted) \
      WHERE \(index.table.quoted) MATCH ? AND rowid NOT IN \(logged) \
      UNION ALL SELECT \(columns(rowID, score == nil ? nil : "0.0")) FROM \(table.quoted) \
      WHERE \(rowID) IN \(logged) AND \(Self.like(words, Self.textColumns(index)))
      """
  }

  /// The indexed columns whose texts are in the table.
  private static func textColumns(_ index: InspectedSearchIndex) -> [InspectedColumn] {
    index.columns.filter { $0.kind != .file }.map(\.column)
  }

  /// A condition with one parameter for each word and column.
  private static func like(_ words: [String], _ columns: [InspectedColumn]) -> String {
    guard !columns.isEmpty else { return "0" }
    let word = columns.map { column in
      let name = column.column.quoted
      // The bytes of JSON are a text in UTF-8.
      let text = column.form == .json ? "CAST(\(name) AS TEXT)" : name
      return "\(text) LIKE ? ESCAPE '\\'"
    }.joined(separator: " OR ")
    return words.map { _ in "(\(word))" }.joined(separator: " AND ")
  }

  private func likeValues(_ columns: [InspectedColumn]) -> [InspectedValue] {
    words.flatMap { word in
      let value = InspectedValue(.text("%" + LikePattern.literal(word) + "%"))
      return columns.map { _ in value }
    }
  }
}

/// Texts in patterns of `LIKE`.
enum LikePattern {
  /// The text as a pattern that only matches itself. The escape character is a backslash.
  static func literal(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
