import MagicEngine
public import MagicExpressions
import MagicSchema

/// Predicates as text.
///
/// ```swift
/// let adults = try MagicPredicate<Person>(text: "age >= $limit", named: ["limit": 18])
/// print(adults)  // age >= 18
/// ```
extension MagicExpression where Value == Bool {
  /// Creates a predicate from text with the grammar of Core Data's predicates.
  ///
  /// - Parameters:
  ///   - arguments: The values of `%@`, `%d` and `%K` in this order, and of `$0`, `$1`, ….
  ///   - named: The values of `$name`.
  /// - Throws: `MagicError` with the code `invalidQuery` and the ``MagicTextError`` as its cause.
  public init(text: String, _ arguments: Any?..., named: [String: Any?] = [:]) throws {
    try self.init(
      checked: TextPredicate.expression(
        Model.self, text, TextArguments(arguments, named: named)))
  }

  init(checked expression: QueryExpression) throws {
    if let error = expression.error { throw error }
    self.init(expression)
  }

  /// Returns the predicate as a text without arguments, from which an equal predicate can be
  /// created.
  ///
  /// - Throws: `MagicError` with the code `invalidQuery` if a part of the predicate has no text
  ///   form: an object, bytes, or an operation that only typed predicates have.
  public func formatText() throws -> String {
    try TextPrinter.text(of: untyped, for: Model.self, .literals(areExact: true)).text
  }
}

extension MagicExpression: CustomStringConvertible where Value == Bool {
  /// The predicate as text, for people. A part without a text form is in angle brackets.
  public var description: String {
    let printed = try? TextPrinter.text(of: untyped, for: Model.self, .literals(areExact: false))
    return printed?.text ?? "<predicate>"
  }
}
