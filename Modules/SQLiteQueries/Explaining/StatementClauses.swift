import MagicEngine
import MagicSQLText

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
  /// Whether a WHERE condition restricts the rows of the statement itself, not those of a subquery
  /// that computes a value.
  private(set) var restrictsRows = false
  private(set) var hasAlternatives = false
  private var tables: [String: String] = [:]

  private enum Clause {
    case start, other, from, condition, order
  }

  /// - Parameter limitedRowsDepth: the number of parentheses around a condition that only restricts the
  ///   rows to those of a subquery, which has the conditions and the limit of the query; nil if there
  ///   is no such condition.
  init(of sql: String, limitedRowsDepth: Int? = nil) {
    var limitedRowsDepth = limitedRowsDepth
    let tokens = SQLToken.all(of: sql, dialect: .sqlite)
    var clause = Clause.start
    var outer: [Clause] = []
    var expectsTable = false
    for (index, token) in tokens.enumerated() {
      if case .symbol(let symbol) = token {
        switch symbol {
        case "(": outer.append(clause)
        case ")": clause = outer.popLast() ?? .start
        case "," where clause == .from: expectsTable = true
        default: break
        }
        continue
      }
      if let next = Self.clause(token.keyword) {
        if token.keyword == "WHERE", outer.count == limitedRowsDepth {
          clause = .from
          expectsTable = false
          limitedRowsDepth = nil
          continue
        }
        clause = next
        expectsTable = next == .from
        if next == .condition { hasCondition = true }
        if token.keyword == "WHERE", outer.allSatisfy({ $0 == .start || $0 == .from }) {
          restrictsRows = true
        }
        continue
      }
      if token.keyword == "OR", clause == .condition { hasAlternatives = true }
      guard let name = token.identifier else { continue }
      if expectsTable {
        // A name before a dot is the name of the database.
        guard Self.token(tokens, index + 1) != .symbol(".") else { continue }
        addAlias(name, tokens, index + 1)
        expectsTable = false
      } else if let kind = Self.use(tokens, index, clause) {
        let qualifier =
          Self.token(tokens, index - 1) == .symbol(".")
          ? Self.token(tokens, index - 2)?.identifier : nil
        uses.append(Use(kind: kind, qualifier: qualifier, column: name))
      }
    }
  }

  /// Returns the table with a name or alias.
  func table(named name: String) -> String { tables[name.lowercased()] ?? name }

  private mutating func addAlias(_ table: String, _ tokens: [SQLToken], _ next: Int) {
    let aliasIndex = Self.token(tokens, next)?.keyword == "AS" ? next + 1 : next
    guard let alias = Self.token(tokens, aliasIndex)?.identifier,
      !Self.keywordsAfterTable.contains(Self.token(tokens, aliasIndex)?.keyword ?? "")
    else { return }
    tables[alias.lowercased()] = table
  }

  private static func clause(_ keyword: String?) -> Clause? {
    switch keyword {
    case "FROM", "JOIN", "UPDATE", "INTO": .from
    case "WHERE", "ON": .condition
    // An index that is sorted by a window's partition and order serves both.
    case "ORDER", "PARTITION": .order
    case "SELECT", "SET", "VALUES", "GROUP", "HAVING", "LIMIT", "RETURNING", "WINDOW", "UNION",
      "EXCEPT", "INTERSECT":
      .other
    default: nil
    }
  }

  private static func use(_ tokens: [SQLToken], _ index: Int, _ clause: Clause) -> Use.Kind? {
    let isQualified = token(tokens, index - 1) == .symbol(".")
    let before = token(tokens, isQualified ? index - 3 : index - 1)
    let after = token(tokens, index + 1)
    switch clause {
    case .order:
      let isAlone = after.map { [.symbol(","), .symbol(")"), .symbol(";")].contains($0) } ?? true
      let begins = before == .symbol(",") || before?.keyword == "BY"
      let ends =
        isAlone || ["ASC", "DESC", "LIMIT", "ORDER", "ROWS"].contains(after?.keyword ?? "")
      return begins && ends ? .order : nil
    case .condition:
      if after?.keyword == "IS", token(tokens, index + 2)?.keyword == "NOT" { return nil }
      return comparison(after) ?? (isOperator(after) ? nil : comparison(before, isBefore: true))
    case .start, .other, .from: return nil
    }
  }

  private static func comparison(_ token: SQLToken?, isBefore: Bool = false) -> Use.Kind? {
    switch token {
    case .symbol("="), .symbol("=="): .equal
    case .symbol("<"), .symbol("<="), .symbol(">"), .symbol(">="): .range
    case .word where !isBefore && ["IS", "IN"].contains(token?.keyword): .equal
    case .word where !isBefore && token?.keyword == "BETWEEN": .range
    default: nil
    }
  }

  /// Returns whether a token makes the column before it part of an expression, or a function call.
  private static func isOperator(_ token: SQLToken?) -> Bool {
    guard case .symbol(let symbol)? = token else { return false }
    return ![")", ",", ";"].contains(symbol)
  }

  private static func token(_ tokens: [SQLToken], _ index: Int) -> SQLToken? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  private static let keywordsAfterTable: Set<String> = [
    "WHERE", "ON", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "ORDER",
    "GROUP", "LIMIT", "SET", "USING", "UNION", "EXCEPT", "INTERSECT", "INDEXED", "NOT", "VALUES",
    "DEFAULT", "RETURNING", "HAVING", "WINDOW", "SELECT",
  ]
}

extension PreparedQuery {
  /// The number of parentheses around the condition that restricts the rows to those of a limit; nil if
  /// the limit does not apply before groups or DISTINCT, or to the nearest rows.
  var limitedRowsDepth: Int? {
    guard plan.limitsRowsFirst || findsNearestRows else { return nil }
    switch result {
    case .tupleCount, .count, .aggregates: return 1
    case .objects, .page, .rowIDs, .tuples, .exists, .delete, .update: return 0
    }
  }
}
