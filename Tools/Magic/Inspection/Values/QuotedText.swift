extension String {
  /// The name as SQL: in double quotes.
  package var quoted: String { quoted(with: "\"") }

  /// The text between two quotes, with the quotes in it doubled.
  ///
  /// Compares Unicode scalars: SQLite and readers of CSV end a text also at a quote that a combining
  /// mark follows, which is another character than the quote alone.
  func quoted(with quote: Unicode.Scalar) -> String {
    var result = UnicodeScalarView()
    result.append(quote)
    for scalar in unicodeScalars {
      if scalar == quote { result.append(quote) }
      result.append(scalar)
    }
    result.append(quote)
    return String(result)
  }
}
