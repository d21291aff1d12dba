import MagicEngine
import MagicSchema

/// Texts that are computed from texts. The results are those of the methods of `String`.
extension MagicExpression where Value: MagicText {
  /// Returns the text in lower case.
  public func lowercased() -> MagicExpression {
    MagicExpression(.textFunction(.lowercased, untyped))
  }

  /// Returns the text in upper case.
  public func uppercased() -> MagicExpression {
    MagicExpression(.textFunction(.uppercased, untyped))
  }

  /// Returns the text with the letters A to Z in lower case. An index can contain it, unlike
  /// ``lowercased()``.
  public func asciiLowercased() -> MagicExpression {
    MagicExpression(.textFunction(.asciiLowercased, untyped))
  }

  /// The number of characters.
  public var count: MagicExpression<Model, Value.Count> {
    MagicExpression<Model, Value.Count>(.function(.characterCount, untyped))
  }

  /// Returns the text without white space and newlines at both ends.
  public func trimmed() -> MagicExpression {
    MagicExpression(.function(.trimmed, untyped))
  }

  /// Returns the text in which another text replaces each occurrence of a text, compared by code
  /// points. An empty text does not occur, nor does a text that begins with a NUL character.
  public func replacing(_ text: String, with other: String) -> MagicExpression {
    MagicExpression(
      .function(
        .replaced, untyped, QueryExpression(value: text), QueryExpression(value: other)))
  }

  /// Returns the first characters of the text.
  public func prefix(_ count: Int) -> MagicExpression {
    MagicExpression(.function(.prefix, untyped, QueryExpression(value: count)))
  }
}

/// Returns the text of an expression, followed by a text.
public func + <Model, Value: MagicText>(
  expression: MagicExpression<Model, Value>, text: String
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.concatenated, expression.untyped, QueryExpression(value: text)))
}

/// Returns a text, followed by the text of an expression.
public func + <Model, Value: MagicText>(
  text: String, expression: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.concatenated, QueryExpression(value: text), expression.untyped))
}

/// Returns the texts of both expressions, one after the other.
public func + <Model, Value: MagicText>(
  left: MagicExpression<Model, Value>, right: MagicExpression<Model, Value>
) -> MagicExpression<Model, Value> {
  MagicExpression(.function(.concatenated, left.untyped, right.untyped))
}
