/// Patterns of `LIKE`: `*` matches any text, `?` any character, and after `\` the next character
/// matches only itself. They are converted to the patterns of the engine and back.
enum TextPattern {
  /// Returns the pattern of the text test `pattern`; nil if the pattern ends with a backslash.
  static func like(_ pattern: String) -> String? {
    converted(pattern, any: "%", one: "_") { literal in
      literal == "%" || literal == "_" || literal == "\\" ? ["\\", literal] : [literal]
    }
  }

  /// Returns the pattern of the text test `exactPattern`; nil if the pattern ends with a backslash.
  static func glob(_ pattern: String) -> String? {
    converted(pattern, any: "*", one: "?") { literal in
      literal == "*" || literal == "?" || literal == "[" ? ["[", literal, "]"] : [literal]
    }
  }

  private static func converted(
    _ pattern: String, any: Unicode.Scalar, one: Unicode.Scalar,
    _ literal: (Unicode.Scalar) -> [Unicode.Scalar]
  ) -> String? {
    var scalars = pattern.unicodeScalars.makeIterator()
    var result = String.UnicodeScalarView()
    while let scalar = scalars.next() {
      switch scalar {
      case "*": result.append(any)
      case "?": result.append(one)
      case "\\":
        guard let escaped = scalars.next() else { return nil }
        result.append(contentsOf: literal(escaped))
      default: result.append(contentsOf: literal(scalar))
      }
    }
    return String(result)
  }

  /// Returns the text of a pattern of the text test `pattern`; nil if it ends with a backslash.
  static func text(ofLike pattern: String) -> String? {
    var scalars = pattern.unicodeScalars.makeIterator()
    var result = String.UnicodeScalarView()
    while let scalar = scalars.next() {
      switch scalar {
      case "%": result.append("*")
      case "_": result.append("?")
      case "\\":
        guard let escaped = scalars.next() else { return nil }
        result.append(contentsOf: Self.literal(escaped))
      default: result.append(contentsOf: Self.literal(scalar))
      }
    }
    return String(result)
  }

  /// Returns the text of a pattern of the text test `exactPattern`; nil if it has no such text.
  static func text(ofGlob pattern: String) -> String? {
    var scalars = pattern.unicodeScalars.makeIterator()
    var result = String.UnicodeScalarView()
    while let scalar = scalars.next() {
      switch scalar {
      case "*", "?": result.append(scalar)
      case "[":
        guard let literal = scalars.next(), scalars.next() == "]" else { return nil }
        result.append(contentsOf: Self.literal(literal))
      default: result.append(contentsOf: Self.literal(scalar))
      }
    }
    return String(result)
  }

  private static func literal(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    scalar == "*" || scalar == "?" || scalar == "\\" ? ["\\", scalar] : [scalar]
  }
}
