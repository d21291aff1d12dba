/// The search index of a type: a full-text table without a copy of the texts, and a log of the rows
/// that have changed since the index was updated.
public struct InspectedSearchIndex: Hashable, Sendable {
  /// How the indexed text is stored.
  public enum Kind: String, Hashable, Sendable {
    /// The value is the text.
    case text = "t"
    /// The text is in the file of an asset.
    case file = "f"
    /// The texts are those of a JSON array.
    case list = "l"
  }

  /// An indexed property.
  public struct Column: Hashable, Sendable {
    /// The column.
    public let column: InspectedColumn
    /// How its text is stored.
    public let kind: Kind
  }

  /// The full-text table.
  let table: String
  /// The table of the rows that the index has other texts of, or none.
  let log: String
  /// The indexed properties, in the order of the index.
  public let columns: [Column]
  /// The tokenizer and its arguments, as in the SQL of the table.
  let tokenizer: String

  /// The lengths of the beginnings of words that the index contains, in ascending order.
  let prefixLengths: [Int]

  /// Whether the index has all sequences of three characters instead of words.
  var hasTrigrams: Bool { tokenizer == "trigram" }

  /// The SQL of the columns and the tokenizer, as arguments of the module.
  var moduleArguments: String {
    (columns.indices.map { "c\($0)" } + ["tokenize='\(tokenizer)'"]).joined(separator: ", ")
  }

  private static let tokenizers: Set<String> = [
    "trigram", "unicode61 remove_diacritics 0", "unicode61 remove_diacritics 2",
    "porter unicode61 remove_diacritics 0", "porter unicode61 remove_diacritics 2",
  ]

  static func table(of table: String) -> String { "magic_search(\(table))" }
  static func log(of table: String) -> String { Self.table(of: table) + " log" }

  /// Creates the description of an index; nil if its tables are not those that the library creates,
  /// as in a file of unknown origin.
  ///
  /// - Parameters:
  ///   - table: the table of the type.
  ///   - sql: the SQL of the full-text table.
  ///   - logColumns: the names of the columns of the log.
  init?(table: String, columns: [InspectedColumn], sql: String, logColumns: [String]) {
    self.table = Self.table(of: table)
    log = Self.log(of: table)
    let start = "CREATE VIRTUAL TABLE \(self.table.quoted) USING fts5("
    guard sql.hasPrefix(start), sql.hasSuffix(")") else { return nil }
    var found: [Column] = []
    for name in logColumns where name != InspectedType.rowIDColumn && name != "is_indexed" {
      let parts = name.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
        let column = columns.first(where: { $0.column == parts[1] })
      else { return nil }
      found.append(Column(column: column, kind: kind))
    }
    guard !found.isEmpty, logColumns.contains(InspectedType.rowIDColumn) else { return nil }
    self.columns = found
    var arguments = sql.dropFirst(start.count).dropLast().split(separator: ",")
      .map { $0.drop { $0 == " " } }
    guard arguments.prefix(found.count).map(String.init) == found.indices.map({ "c\($0)" }) else {
      return nil
    }
    arguments.removeFirst(found.count)
    guard arguments.count >= 2, arguments.count <= 3, arguments[0] == "content=''",
      arguments.count == 2 || arguments[2].hasPrefix("prefix='"),
      let tokenizer = Self.tokenizers.first(where: { arguments[1] == "tokenize='\($0)'" })
    else { return nil }
    self.tokenizer = tokenizer
    prefixLengths =
      arguments.count < 3
      ? []
      : arguments[2].dropFirst("prefix='".count).dropLast().split(separator: " ")
        .compactMap { Int($0) }
  }
}
