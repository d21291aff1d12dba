import MagicSchema
import SQLiteTables

/// What a search index contains: the columns of its texts, and the tokenizer that divides them into words.
/// The database records it with the index.
struct SearchLayout: Equatable {
  /// A column with searched texts.
  struct Column: Equatable {
    let kind: SearchSchema.Kind
    let name: String
  }

  /// The name of the tokenizer, and its arguments, which contain no spaces.
  let tokenizer: [String]
  let columns: [Column]

  init(_ search: SearchSchema) {
    tokenizer = SearchTable.tokenizer(search.declaration)
    columns = search.columns.map { Column(kind: $0.kind, name: $0.name) }
  }

  /// Returns nil for a text that this version of the library has not written.
  init?(_ text: String) {
    let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.count % 2 == 1 else { return nil }
    tokenizer = parts[0].split(separator: " ").map(String.init)
    var columns: [Column] = []
    for index in stride(from: 1, to: parts.count, by: 2) {
      guard let kind = SearchSchema.Kind(rawValue: String(parts[index])) else { return nil }
      columns.append(Column(kind: kind, name: String(parts[index + 1])))
    }
    self.columns = columns
  }

  private static let separator: Character = "\u{1F}"

  /// The text in the table of all indexes.
  var text: String {
    ([tokenizer.joined(separator: " ")] + columns.flatMap { [$0.kind.rawValue, $0.name] })
      .joined(separator: String(Self.separator))
  }
}
