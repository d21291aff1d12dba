extension String {
  /// The name as an SQL identifier.
  var quoted: String { enclosed(in: "\"") }

  /// The text as an SQL literal.
  var literal: String { enclosed(in: "'") }

  private func enclosed(in quote: Character) -> String {
    let doubled = split(separator: quote, omittingEmptySubsequences: false)
      .joined(separator: "\(quote)\(quote)")
    return "\(quote)\(doubled)\(quote)"
  }
}
