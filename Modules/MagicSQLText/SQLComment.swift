/// The comments between `/*` and `*/`.
enum SQLComment {
  /// Removes the comment that a text begins with. A comment of PostgreSQL can contain other comments.
  static func removeFirst(from rest: inout Substring.UTF8View, _ dialect: SQLDialect) {
    var depth = 0
    repeat {
      if rest.starts(with: "/*".utf8), depth == 0 || dialect == .postgreSQL {
        depth += 1
        rest.removeFirst(2)
      } else if rest.starts(with: "*/".utf8) {
        depth -= 1
        rest.removeFirst(2)
      } else {
        rest.removeFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }
}
