import SQLiteTables

/// The SQL of an expression.
struct SQLTerm {
  /// The precedence of the outermost operator, from low to high.
  enum Level: Int, Comparable {
    case or, and, not, comparison, arithmetic, atom

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let text: String
  let level: Level
  let mayBeNull: Bool
  /// Whether SQLite does not compare the texts by their bytes.
  let isCollated: Bool

  init(
    _ text: String, _ level: Level = .atom, mayBeNull: Bool = false, isCollated: Bool = false
  ) {
    self.isCollated = isCollated
    self.text = text
    self.level = level
    self.mayBeNull = mayBeNull
  }

  /// Returns the SQL for a place that requires at least the given precedence. It is in parentheses
  /// if its own precedence is lower.
  func text(_ level: Level) -> String { self.level >= level ? text : "(\(text))" }

  /// The expression as a value. `IS TRUE` converts a condition that is NULL in SQLite to false, its
  /// value in Swift.
  var value: SQLTerm {
    guard level <= .comparison, mayBeNull else { return self }
    return SQLTerm("(\(text)) IS TRUE", .comparison)
  }

  /// The SQL as an operand of a comparison of bytes.
  var bytesOperand: String {
    isCollated ? "\(operand) COLLATE \(TableSQL.binary)" : operand
  }

  /// The SQL as an operand of a comparison or computation.
  var operand: String { value.text(.atom) }

  static func joined(_ terms: [SQLTerm], _ word: String, _ level: Level) -> SQLTerm {
    let next = Level(rawValue: level.rawValue + 1) ?? .atom
    return SQLTerm(
      joined(terms.map { $0.text(next) }[...], word), level,
      mayBeNull: terms.contains(where: \.mayBeNull))
  }

  /// Splits a long chain of operators into halves in parentheses. Without them, SQLite's expression
  /// tree is one level deeper for each operator, and SQLite limits its depth.
  private static func joined(_ texts: ArraySlice<String>, _ word: String) -> String {
    guard texts.count > 128 else { return texts.joined(separator: word) }
    let middle = texts.startIndex + texts.count / 2
    return "(\(joined(texts[..<middle], word)))\(word)(\(joined(texts[middle...], word)))"
  }
}
