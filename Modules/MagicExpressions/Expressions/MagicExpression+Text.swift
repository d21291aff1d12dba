import MagicEngine
import MagicSchema
import MagicStore

/// A string, or an optional string.
public protocol MagicText: Sendable {
  /// `Int`, or `Int?` for an optional string.
  associatedtype Count: Sendable = Int
}

extension String: MagicText {}

/// A function of nil results in nil.
extension Optional: MagicText where Wrapped: MagicText {
  /// An optional number of characters.
  public typealias Count = Int?
}

/// Predicates on text. Unless stated otherwise, they compare the stored code points: they are
/// case-sensitive, `%` and `_` are ordinary characters, and the composed and the decomposed form of
/// an accented letter differ. All are false for nil.
extension MagicExpression where Value: MagicText {
  /// Whether the text has no characters.
  public var isEmpty: MagicPredicate<Model> {
    .comparison(.equal, untyped, QueryExpression(.text("")))
  }

  /// Whether the text begins with a prefix. The query uses an index of the property, if there is
  /// one.
  public func hasPrefix(_ prefix: String) -> MagicPredicate<Model> {
    guard let end = Self.end(ofPrefix: prefix) else {
      return MagicPredicate(.textTest(.prefix, untyped, [.text(prefix)]))
    }
    return MagicPredicate(.textTest(.prefixRange, untyped, [.text(prefix), .text(end)]))
  }

  /// Whether the text ends with a suffix.
  public func hasSuffix(_ suffix: String) -> MagicPredicate<Model> {
    guard !suffix.isEmpty else { return MagicPredicate(.isNotNull(untyped)) }
    return MagicPredicate(.textTest(.suffix, untyped, [.text(suffix)]))
  }

  /// Whether the text contains another text.
  public func contains(_ text: String) -> MagicPredicate<Model> {
    MagicPredicate(.textTest(.substring, untyped, [.text(text)]))
  }

  /// Whether the text matches a pattern. In the pattern, `%` matches any text, and `_` matches any
  /// one character. After a `\`, the next character matches only itself. The case of the letters A
  /// to Z is ignored; `contains(_:_:)` ignores the case of all letters. A NUL character ends the text and the pattern. A query with a pattern of more
  /// than 50,000 bytes throws an error when it runs.
  public func like(_ pattern: String) -> MagicPredicate<Model> {
    MagicPredicate(.textTest(.pattern, untyped, [.text(pattern)]))
  }

  /// Returns the smallest text that is greater than every text with a prefix; nil if there is none.
  private static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      guard last.value < 0x10FFFF else { continue }
      // Surrogates are not valid code points in text.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
