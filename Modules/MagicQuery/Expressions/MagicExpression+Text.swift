import MagicEngine
import MagicSchema
import MagicStore

/// Text, or text that may be nil.
public protocol MagicText: Sendable {}
extension String: MagicText {}
extension Optional: MagicText where Wrapped: MagicText {}

/// All of these compare the characters' code points as they are stored: case counts, `%` and `_`
/// mean themselves, and an accent spelled in two ways is two texts. They are false of nil.
extension MagicExpression where Value: MagicText {
  /// The text begins with a prefix. An index of the property answers it.
  public func hasPrefix(_ prefix: String) -> MagicPredicate<Model> {
    guard let end = Self.end(ofPrefix: prefix) else {
      return MagicPredicate(.textTest(.prefix, untyped, [.text(prefix)]))
    }
    return MagicPredicate(.textTest(.prefixRange, untyped, [.text(prefix), .text(end)]))
  }

  /// The text ends with a suffix.
  public func hasSuffix(_ suffix: String) -> MagicPredicate<Model> {
    guard !suffix.isEmpty else { return MagicPredicate(.isNotNull(untyped)) }
    return MagicPredicate(.textTest(.suffix, untyped, [.text(suffix)]))
  }

  /// The text has another text in it.
  public func contains(_ text: String) -> MagicPredicate<Model> {
    MagicPredicate(.textTest(.substring, untyped, [.text(text)]))
  }

  /// The text fits a pattern, in which `%` stands for any text and `_` for any character; behind a
  /// `\` they mean themselves. The letters A to Z fit in either case. A NUL character ends
  /// the text and the pattern. A pattern longer than 50,000 bytes is an error where the query runs.
  public func like(_ pattern: String) -> MagicPredicate<Model> {
    MagicPredicate(.textTest(.pattern, untyped, [.text(pattern)]))
  }

  /// The text with the letters A to Z in lower case; others stay.
  public func lowercased() -> MagicExpression {
    MagicExpression(.textFunction(.lowercased, untyped))
  }

  /// The text with the letters a to z in upper case; others stay.
  public func uppercased() -> MagicExpression {
    MagicExpression(.textFunction(.uppercased, untyped))
  }

  /// The smallest text behind all that begin with a prefix; nil where there is none.
  private static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      guard last.value < 0x10FFFF else { continue }
      // The surrogates are no code points of texts.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
