package import MagicPostgreSQL
import MagicSchema

/// Patterns of LIKE, with `\` as the escape character.
package enum LikePattern {
  /// - Throws: `MagicError` with `.invalidQuery` for a pattern that another engine would refuse.
  package static func checked(_ pattern: String) throws -> String {
    guard pattern.utf8.count <= 50_000 else {
      throw MagicError(
        .invalidQuery, "A pattern of a query is longer than 50,000 bytes. Use a shorter one.")
    }
    return pattern
  }

  /// Returns the pattern for a GLOB pattern: `*` matches any text, `?` any character, and `[c]` the
  /// character `c`.
  package static func like(glob: String) -> String {
    var like = ""
    var rest = Substring(glob).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": like += "%"
      case "?": like += "_"
      case "[" where rest.dropFirst().first == "]":
        if let literal = rest.popFirst() { append(literal, to: &like) }
        rest.removeFirst()
      default: append(scalar, to: &like)
      }
    }
    return like
  }

  private static func append(_ scalar: Unicode.Scalar, to like: inout String) {
    if scalar == "%" || scalar == "_" || scalar == "\\" { like += "\\" }
    like.unicodeScalars.append(scalar)
  }

  /// Appends a pattern. One that ends with the escape character matches no text, as in the other
  /// engines; PostgreSQL would refuse it.
  package static func append(like pattern: String, to fields: PostgreSQLFields) {
    let escapes = pattern.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    guard escapes % 2 == 1 else { return fields.append(text: pattern) }
    // No stored text is this character, which is replaced.
    withUnsafeBytes(of: UInt8(1)) { fields.append(bytes: $0) }
  }
}
