/// A search in all texts of a type: a row is found if each word is in one of its texts.
///
/// Words are found by `LIKE`, so the table is read, and upper and lower case of ASCII letters are
/// equal. This type alone makes the SQL of a search: a search index would change only this file.
public struct RowSearch: Hashable, Sendable {
  /// The words, at most eight.
  public let words: [String]
  /// The columns that are searched: those with the forms of texts, and JSON.
  public let columns: [InspectedColumn]

  private static let wordLimit = 8
  private static let lengthLimit = 200

  /// Creates a search; nil if the text has no word, or the type no text.
  public init?(_ text: String, in type: InspectedType) {
    words = text.split(whereSeparator: \.isWhitespace).prefix(Self.wordLimit)
      .map { String($0.prefix(Self.lengthLimit)) }
    columns = type.columns.filter { column in
      switch column.form {
      case .text, .url, .uuid, .decimal, .json: true
      case .enumeration, .other: column.declaredType.uppercased() == "TEXT"
      default: false
      }
    }
    guard !words.isEmpty, !columns.isEmpty else { return nil }
  }

  /// The condition as SQL with one parameter for each word and column.
  var sql: String {
    let word = columns.map { column in
      let name = column.column.quoted
      // The bytes of JSON are a text in UTF-8.
      let text = column.form == .json ? "CAST(\(name) AS TEXT)" : name
      return "\(text) LIKE ? ESCAPE '\\'"
    }.joined(separator: " OR ")
    return words.map { _ in "(\(word))" }.joined(separator: " AND ")
  }

  /// The values of the parameters.
  var values: [InspectedValue] {
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
