extension String {
  /// The name as an SQL identifier.
  package var quoted: String { enclosed(in: "\"") }

  /// The text as an SQL literal.
  package var literal: String { enclosed(in: "'") }

  /// Encloses the text in quotes and doubles each quote in it. The text is processed by Unicode
  /// scalars: a quote followed by a combining character is one `Character` in Swift, but a quote in
  /// SQL.
  private func enclosed(in quote: Unicode.Scalar) -> String {
    var text = String.UnicodeScalarView([quote])
    for scalar in unicodeScalars {
      text.append(scalar)
      if scalar == quote { text.append(scalar) }
    }
    text.append(quote)
    return String(text)
  }
}
