/// SQL for UUIDs as text and as bytes.
enum UUIDConversion {
  /// Returns the expression for the upper-case text of a UUID of sixteen bytes.
  static func text(ofBytes value: String) -> String {
    [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
      .map { "substr(hex(\(value)), \($0.0), \($0.1))" }.joined(separator: " || '-' || ")
  }

  /// Returns the expression for the sixteen bytes of the text of a UUID.
  ///
  /// SQLite has `unhex` only since version 3.41, so each byte is taken from a blob of all bytes.
  /// Concatenated blobs are a text of the same bytes.
  static func bytes(ofText value: String) -> String {
    let all = (0...255).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let bytes = (0..<16).map { index in
      let (high, low) = (digit(index * 2 + 1), digit(index * 2 + 2))
      return "substr(b, 1 + 16 * \(high) + \(low), 1)"
    }
    return "(SELECT CAST(\(bytes.joined(separator: " || ")) AS BLOB) "
      + "FROM (SELECT x'\(all)' AS b, upper(replace(\(value), '-', '')) AS h))"
  }

  private static func digit(_ place: Int) -> String {
    "(instr('0123456789ABCDEF', substr(h, \(place), 1)) - 1)"
  }

  /// Returns the condition for a text that is not that of a UUID.
  static func isInvalid(text value: String) -> String {
    let digit = "[0-9A-Fa-f]"
    let pattern = [8, 4, 4, 4, 12].map { String(repeating: digit, count: $0) }
      .joined(separator: "-")
    return "\(value) NOT GLOB '\(pattern)'"
  }

  /// Returns the condition for a value that is neither NULL, the text of a UUID nor sixteen bytes.
  static func isNoUUID(_ value: String) -> String {
    "CASE typeof(\(value)) WHEN 'blob' THEN length(\(value)) <> 16 "
      + "WHEN 'text' THEN \(isInvalid(text: value)) WHEN 'null' THEN 0 ELSE 1 END"
  }
}
