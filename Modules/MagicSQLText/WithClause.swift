/// The optional WITH clause of a statement.
package enum WithClause {
  /// A position in a statement at which common table expressions can be inserted.
  package struct InsertionPoint {
    package let index: String.Index
    /// Whether the position is at the beginning of the statement's WITH clause; false if the
    /// statement has none.
    package let isInClause: Bool

    /// - Parameter mayWrite: whether the statement may be an INSERT, REPLACE, UPDATE or DELETE.
    /// - Returns: nil for a statement that is neither that nor a SELECT or VALUES.
    package init?(in sql: String, dialect: SQLDialect, mayWrite: Bool = false) {
      var words = StatementKeyword.Reader(sql, dialect)
      var word = words.next()
      if word == "EXPLAIN" {
        word = words.next()
        if word == "QUERY" {
          _ = words.next()
          word = words.next()
        }
      }
      switch word {
      case "SELECT", "VALUES": (index, isInClause) = (words.start, false)
      case "INSERT", "REPLACE", "UPDATE", "DELETE":
        guard mayWrite else { return nil }
        (index, isInClause) = (words.start, false)
      case "WITH":
        guard mayWrite || WithClause.precedesRead(sql, dialect) else { return nil }
        let endOfWith = words.end
        index = words.next() == "RECURSIVE" ? words.end : endOfWith
        isInClause = true
      default: return nil
      }
    }
  }

  /// Returns whether the statement after the WITH clause is a SELECT or VALUES.
  private static func precedesRead(_ sql: String, _ dialect: SQLDialect) -> Bool {
    var depth = 0
    for word in SQLToken.all(of: sql, dialect: dialect) {
      switch word {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .word where depth == 0:
        switch word.keyword {
        case "SELECT", "VALUES": return true
        case "INSERT", "REPLACE", "UPDATE", "DELETE": return false
        default: break
        }
      default: break
      }
    }
    return false
  }
}
