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
  private var isOpen: Bool
  /// Whether rows with the last word as a whole word are not found.
  private var excludesWholeWords = false

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
  func sql(_ dialect: RowDialect) -> String {
    guard let index else { return Self.like(words, columns, dialect) }
    return "\(InspectedType.rowIDColumn.quoted) IN (\(indexed(index)) UNION ALL \(logged(index)))"
  }

  /// The values of the parameters, of the condition and of ``scored``.
  var values: [InspectedValue] {
    index == nil ? likeValues(columns) : indexedValues + loggedValues
  }

  /// The names of the columns of ``scored`` and ``unscored``. No property has such a name.
  static let (foundRow, score) = ("magic_search row", "magic_search score")

  /// A subquery with the row IDs and scores of the rows that the index finds; nil without an index.
  ///
  /// The scores have the weight 1 for each property, because the file does not contain the weights.
  var scored: String? {
    guard let index else { return nil }
    // SQLite computes a score only while it reads the index. With a limit, a subquery is not merged
    // into the statement.
    return """
      (\(indexed(index, score: "-bm25(\(index.table.quoted))")) \
      UNION ALL \(logged(index, score: "0.0")) LIMIT -1)
      """
  }

  /// Subqueries with the row IDs of the rows that the index finds, and of the rows that it does not have
  /// yet, each with the values of its parameters; none without an index. In the order of row IDs, SQLite
  /// reads no more of them than it needs.
  var unscored: [(sql: String, values: [InspectedValue])] {
    guard let index else { return [] }
    let indexed = ("(\(indexed(index)))", indexedValues)
    return excludesWholeWords ? [indexed] : [indexed, ("(\(logged(index)))", loggedValues)]
  }

  /// The search for whole words; nil if this is one. The index finds the first rows of a word at once, but
  /// all rows of the words with a beginning before the first of them.
  var ofWholeWords: RowSearch? {
    guard isOpen else { return nil }
    var search = self
    search.isOpen = false
    return search
  }

  /// The search for the rows that only have words with the beginning; nil if this is one for whole words.
  /// The rows that the index does not have yet are not among them, because those are searched for parts of
  /// words: ``ofWholeWords`` finds all of them.
  var ofBeginnings: RowSearch? {
    guard isOpen else { return nil }
    var search = self
    search.excludesWholeWords = true
    return search
  }

  /// The text in the syntax of the index.
  var match: String {
    guard excludesWholeWords else { return phrases(isOpen: isOpen) }
    return "(\(phrases(isOpen: true))) NOT (\(phrases(isOpen: false)))"
  }

  private func phrases(isOpen: Bool) -> String {
    let phrases = words.enumerated().map { position, word in
      word.replacing("\0", with: " ").quoted + (isOpen && position == words.count - 1 ? "*" : "")
    }
    return phrases.joined(separator: " ")
  }

  /// The rows that the index finds, except those in the log.
  private func indexed(_ index: InspectedSearchIndex, score: String? = nil) -> String {
    """
    SELECT \(Self.results("rowid", score)) FROM \(index.table.quoted) \
    WHERE \(index.table.quoted) MATCH ? AND rowid NOT IN \(Self.log(of: index))
    """
  }

  private var indexedValues: [InspectedValue] { [InspectedValue(.text(match))] }

  /// The rows in the log, whose texts the index does not have yet.
  private func logged(_ index: InspectedSearchIndex, score: String? = nil) -> String {
    let rowID = InspectedType.rowIDColumn.quoted
    return """
      SELECT \(Self.results(rowID, score)) FROM \(table.quoted) \
      WHERE \(rowID) IN \(Self.log(of: index)) AND \(Self.like(words, Self.textColumns(index), .sqlite))
      """
  }

  private var loggedValues: [InspectedValue] {
    index.map { likeValues(Self.textColumns($0)) } ?? []
  }

  private static func log(of index: InspectedSearchIndex) -> String {
    "(SELECT \(InspectedType.rowIDColumn.quoted) FROM \(index.log.quoted))"
  }

  private static func results(_ row: String, _ score: String?) -> String {
    "\(row) AS \(foundRow.quoted)" + (score.map { ", \($0) AS \(Self.score.quoted)" } ?? "")
  }

  /// The indexed columns whose texts are in the table.
  private static func textColumns(_ index: InspectedSearchIndex) -> [InspectedColumn] {
    index.columns.filter { $0.kind != .file }.map(\.column)
  }

  /// A condition with one parameter for each word and column.
  private static func like(
    _ words: [String], _ columns: [InspectedColumn], _ dialect: RowDialect
  ) -> String {
    guard !columns.isEmpty else { return "0" }
    let word = columns.map(dialect.isLike).joined(separator: " OR ")
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
