/// A piece of SQL that has a value.
struct SQLTerm {
  /// How tightly it holds together, from loose to tight.
  enum Level: Int, Comparable {
    case or, and, not, comparison, arithmetic, atom

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let text: String
  let level: Level
  let mayBeNull: Bool

  init(_ text: String, _ level: Level = .atom, mayBeNull: Bool = false) {
    self.text = text
    self.level = level
    self.mayBeNull = mayBeNull
  }

  /// As a part of something that takes only what is at least so tight.
  func text(_ level: Level) -> String { self.level >= level ? text : "(\(text))" }

  /// As a value. A condition that SQLite answers with NULL is false in Swift.
  var value: SQLTerm {
    guard level <= .comparison, mayBeNull else { return self }
    return SQLTerm("(\(text)) IS TRUE", .comparison)
  }

  /// As an operand of a comparison or computation.
  var operand: String { value.text(.atom) }

  static func joined(_ terms: [SQLTerm], _ word: String, _ level: Level) -> SQLTerm {
    let next = Level(rawValue: level.rawValue + 1) ?? .atom
    return SQLTerm(
      joined(terms.map { $0.text(next) }[...], word), level,
      mayBeNull: terms.contains(where: \.mayBeNull))
  }

  /// A long chain is put in brackets by halves: SQLite goes down a level for each link.
  private static func joined(_ texts: ArraySlice<String>, _ word: String) -> String {
    guard texts.count > 128 else { return texts.joined(separator: word) }
    let middle = texts.startIndex + texts.count / 2
    return "(\(joined(texts[..<middle], word)))\(word)(\(joined(texts[middle...], word)))"
  }
}
