/// What a word of an expression's code begins.
///
/// The code is a flat prefix form: an operation's word, its fixed words, then its operands. Values
/// lie beside the code, in the order in which it comes to them.
enum Operation: Int {
  /// Scope, type, number of steps, steps.
  case column
  case value, null
  /// Number of operands.
  case and, or
  case not
  case equal, unequal, less, lessOrEqual, greater, greaterOrEqual
  case isNull, isNotNull
  case add, subtract, multiply, divide, negate
  /// The prefix, then what comes behind all texts with it.
  case hasPrefix
  case hasSuffix, containsText, like, lowercased, uppercased
  case between
  /// Number of values.
  case inValues
  case inList
  // The members' scope where there is a predicate.
  case hasMember, hasMemberWhere, hasMemberExcept, hasObject, memberCount, memberCountWhere
  case count, sum, minimum, maximum, average
}

/// The rows that a column may be of.
enum Scope {
  /// The innermost ones around the column.
  static let innermost = -1
  /// Those of the query itself.
  static let root = 0
  /// Members' scopes have numbers from here on, each its own, and nothing else in a code has.
  static let firstOfMembers = 1 << 40
}
