import MagicPostgreSQL
import MagicSchema

/// The SQL of an expression, with its type.
///
/// PostgreSQL converts no value from a truth value to a number or from a text to a UUID, so each
/// expression has a type, and the renderer writes the conversions.
struct SQLTerm {
  /// The precedence of the outermost operator, from low to high.
  enum Level: Int, Comparable {
    case or, and, not, comparison, arithmetic, atom

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let text: String
  /// The type; nil for NULL.
  let type: PostgreSQLType?
  let level: Level
  let mayBeNull: Bool
  /// The number of the parameter that the expression is. Its use decides its type.
  var parameter: Int?
  /// How the texts are compared; nil if the other operand of a comparison decides.
  var comparison: TextComparison?

  init(
    _ text: String, _ type: PostgreSQLType?, _ level: Level = .atom, mayBeNull: Bool = false
  ) {
    self.text = text
    self.type = type
    self.level = level
    self.mayBeNull = mayBeNull
  }

  /// A condition.
  static func condition(
    _ text: String, _ level: Level = .comparison, mayBeNull: Bool = false
  ) -> SQLTerm {
    SQLTerm(text, .boolean, level, mayBeNull: mayBeNull)
  }

  static var null: SQLTerm { SQLTerm("NULL", nil, mayBeNull: true) }

  /// Returns the SQL for a place that requires at least the given precedence. It is in parentheses
  /// if its own precedence is lower.
  func text(_ level: Level) -> String { self.level >= level ? text : "(\(text))" }

  /// The expression as a value. `IS TRUE` converts a condition that is NULL to false, its value in
  /// Swift.
  var value: SQLTerm {
    guard level <= .comparison, mayBeNull else { return self }
    return SQLTerm.condition("(\(text)) IS TRUE")
  }

  /// The SQL as an operand of a comparison or computation.
  var operand: String { value.text(.atom) }

  /// The expression as the result of a function with the same type.
  func with(_ text: String, _ level: Level = .atom, mayBeNull: Bool? = nil) -> SQLTerm {
    var result = SQLTerm(text, type, level, mayBeNull: mayBeNull ?? self.mayBeNull)
    if let comparison, comparison.isExplicit { result.comparison = comparison }
    return result
  }

  /// The same values under another name, as a column of a subquery.
  func named(_ text: String, mayBeNull: Bool? = nil) -> SQLTerm {
    var result = with(text, mayBeNull: mayBeNull)
    result.comparison = comparison
    return result
  }
}
