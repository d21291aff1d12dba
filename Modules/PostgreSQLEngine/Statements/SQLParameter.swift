import MagicSQLText

/// A parameter in the text of a raw statement: `?`, `?1`, `:name`, `@name` or `$name`.
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
    let tokens = SQLToken.located(in: text)
    return tokens.indices.compactMap { index in
      let (token, range) = tokens[index]
      guard token == .value, let first = bytes[range].first, "?:@$".utf8.contains(first) else {
        return nil
      }
      let parameter = SQLParameter(
        text: String(decoding: bytes[range], as: UTF8.self), range: range)
      return parameter.isOperator(index, tokens, bytes) ? nil : parameter
    }
  }

  /// Whether it is a part of an operator of PostgreSQL: a cast such as `::text`, or `@>`.
  private func isOperator(
    _ index: Int, _ tokens: [(token: SQLToken, range: Range<Int>)], _ bytes: [UInt8]
  ) -> Bool {
    guard text != "?" else { return false }
    guard name != nil else { return true }
    guard text.first == ":", index > 0 else { return false }
    let previous = tokens[index - 1].range
    return previous.upperBound == range.lowerBound
      && bytes[previous.upperBound - 1] == UInt8(ascii: ":")
  }
}
