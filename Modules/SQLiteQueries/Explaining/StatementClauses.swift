/// The table aliases of a statement, and the columns that it compares and sorts by. They are
/// derived from the tokens without a parser: an approximation that is sufficient for suggestions.
struct StatementClauses {
  /// A column that a statement uses.
  struct Use: Hashable {
    enum Kind: Hashable {
      case equal, range, order
    }

    let kind: Kind
    /// The table name or alias before the column; nil if there is none.
    let qualifier: String?
    let column: String
  }

  private(set) var uses: [Use] = []
  /// Whether the statement has a WHERE or ON condition.
  private(set) var hasCondition = false
  private(set) var hasAlternatives = false
  private var tables: [String: String] = [:]

  private enum Clause {
    case other, from, condition, order
  }

  init(of sql: String) {
    let words = SQLWord.all(of: sql)
    var clause = Clause.other
    var outer: [Clause] = []
    var expectsTable = false
    for (index, word) in words.enumerated() {
      if case .symbol(let symbol) = word {
        switch symbol {
        case "(": outer.append(clause)
        case ")": clause = outer.popLast() ?? .other
        case "," where clause == .from: expectsTable = true
        default: break
        }
        continue
      }
      if let next = Self.clause(word.keyword) {
        clause = next
        expectsTable = next == .from
        if next == .condition { hasCondition = true }
        continue
      }
      if word.keyword == "OR", clause == .condition { hasAlternatives = true }
      guard let name = word.identifier else { continue }
      if expectsTable {
        // A name before a dot is the name of the database.
        guard Self.word(words, index + 1) != .symbol(".") else { continue }
        enterTable(name, words, index + 1)
        expectsTable = false
      } else if let kind = Self.use(words, index, clause) {
        let qualifier =
          Self.word(words, index - 1) == .symbol(".")
          ? Self.word(words, index - 2)?.identifier : nil
        uses.append(Use(kind: kind, qualifier: qualifier, column: name))
      }
    }
  }

  /// Returns the table with a name or alias.
  func table(named name: String) -> String { tables[name.lowercased()] ?? name }

  private mutating func enterTable(_ table: String, _ words: [SQLWord], _ next: Int) {
    let place = Self.word(words, next)?.keyword == "AS" ? next + 1 : next
    guard let alias = Self.word(words, place)?.identifier,
      !Self.behindTable.contains(Self.word(words, place)?.keyword ?? "")
    else { return }
    tables[alias.lowercased()] = table
  }

  private static func clause(_ keyword: String?) -> Clause? {
    switch keyword {
    case "FROM", "JOIN", "UPDATE", "INTO": .from
    case "WHERE", "ON": .condition
    case "ORDER": .order
    case "SELECT", "SET", "VALUES", "GROUP", "HAVING", "LIMIT", "RETURNING", "WINDOW", "UNION",
      "EXCEPT", "INTERSECT":
      .other
    default: nil
    }
  }

  private static func use(_ words: [SQLWord], _ index: Int, _ clause: Clause) -> Use.Kind? {
    let isQualified = word(words, index - 1) == .symbol(".")
    let before = word(words, isQualified ? index - 3 : index - 1)
    let after = word(words, index + 1)
    switch clause {
    case .order:
      let isAlone = after.map { [.symbol(","), .symbol(")"), .symbol(";")].contains($0) } ?? true
      let begins = before == .symbol(",") || before?.keyword == "BY"
      let ends = isAlone || ["ASC", "DESC", "LIMIT"].contains(after?.keyword ?? "")
      return begins && ends ? .order : nil
    case .condition:
      if after?.keyword == "IS", word(words, index + 2)?.keyword == "NOT" { return nil }
      return comparison(after) ?? (isOperator(after) ? nil : comparison(before, isBefore: true))
    case .other, .from: return nil
    }
  }

  private static func comparison(_ word: SQLWord?, isBefore: Bool = false) -> Use.Kind? {
    switch word {
    case .symbol("="), .symbol("=="): .equal
    case .symbol("<"), .symbol("<="), .symbol(">"), .symbol(">="): .range
    case .word where !isBefore && ["IS", "IN"].contains(word?.keyword): .equal
    case .word where !isBefore && word?.keyword == "BETWEEN": .range
    default: nil
    }
  }

  /// Returns whether a token makes the column before it part of an expression, or a function call.
  private static func isOperator(_ word: SQLWord?) -> Bool {
    guard case .symbol(let symbol)? = word else { return false }
    return ![")", ",", ";"].contains(symbol)
  }

  private static func word(_ words: [SQLWord], _ index: Int) -> SQLWord? {
    words.indices.contains(index) ? words[index] : nil
  }

  private static let behindTable: Set<String> = [
    "WHERE", "ON", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "ORDER",
    "GROUP", "LIMIT", "SET", "USING", "UNION", "EXCEPT", "INTERSECT", "INDEXED", "NOT", "VALUES",
    "DEFAULT", "RETURNING", "HAVING", "WINDOW", "SELECT",
  ]
}
