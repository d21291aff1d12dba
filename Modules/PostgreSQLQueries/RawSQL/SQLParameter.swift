import MagicSQLText

/// A parameter in the text of a raw statement of PostgreSQL: `?`, `?1`, `:name`, `@name` or `$name`.
package struct SQLParameter {
  /// The text of the parameter.
  package let text: String
  /// The offsets of its UTF-8 code units in the text of the statement.
  package let range: Range<Int>

  /// The name or the number; nil for `?`.
  package var name: String? { text.utf8.count > 1 ? String(text.dropFirst()) : nil }

  /// Returns the parameters of a statement, in their order.
  package static func all(in text: String) -> [SQLParameter] {
    let bytes = Array(text.utf8)
    return SQLToken.located(in: text, dialect: .postgreSQL).compactMap { token, range in
      guard token == .parameter else { return nil }
      return SQLParameter(text: String(decoding: bytes[range], as: UTF8.self), range: range)
    }
  }
}
