extension String {
  /// The name as an SQL identifier.
  var quoted: String { "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }

  /// The text as an SQL literal.
  var literal: String { "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'" }
}
