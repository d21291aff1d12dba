/// Finds the SELECT of each token of a statement.
///
/// A pair of parentheses and each part of a compound SELECT is a scope, whether or not it contains a
/// FROM clause.
struct ScopeReader {
  private let tokens: [(token: SQLToken, range: Range<Int>)]

  /// The place of a token.
  struct Place {
    /// The number of the scope. The statement is scope 0.
    let scope: Int
    /// The number of the enclosing scope; nil if there is none.
    let parent: Int?
    /// The last keyword that begins a clause of the scope; "" if there is none.
    let clause: String
    /// Whether columns of the scope are names only, such as those of `INSERT INTO t (…)`.
    let isName: Bool
  }

  private struct Scope {
    let id: Int
    let parent: Int?
    var clause = ""
    let isName: Bool
  }

  init(_ tokens: [(token: SQLToken, range: Range<Int>)]) { self.tokens = tokens }

  /// Returns the parent of each scope.
  static func parents(_ places: [Place]) -> [Int?] {
    var parents: [Int?] = Array(repeating: nil, count: (places.map(\.scope).max() ?? 0) + 1)
    for place in places { parents[place.scope] = place.parent }
    return parents
  }

  /// Returns the place of each token.
  func scopes() -> [Place] {
    var stack = [Scope(id: 0, parent: nil, isName: false)]
    var last = 0
    var places: [Place] = []
    for (index, located) in tokens.enumerated() {
      let previous = index > 0 ? tokens[index - 1].token : nil
      switch located.token {
      case .symbol("("):
        last += 1
        let outer = stack[stack.count - 1]
        stack.append(
          Scope(id: last, parent: outer.id, isName: Self.isListOfNames(outer.clause, previous)))
      case .symbol(")"):
        if stack.count > 1 { stack.removeLast() }
      case .word:
        guard let keyword = located.token.keyword else { break }
        if ["UNION", "EXCEPT", "INTERSECT"].contains(keyword) {
          // A part of a compound SELECT does not see the tables of the part before it.
          last += 1
          let scope = stack.removeLast()
          stack.append(Scope(id: last, parent: scope.parent, isName: scope.isName))
        } else if Self.clauses.contains(keyword) {
          stack[stack.count - 1].clause = keyword
        }
      default: break
      }
      let scope = stack[stack.count - 1]
      places.append(
        Place(
          scope: scope.id, parent: scope.parent, clause: scope.clause,
          isName: scope.isName || previous?.keyword == "AS"))
    }
    return places
  }

  private static func isListOfNames(_ clause: String, _ previous: SQLToken?) -> Bool {
    switch previous?.keyword {
    case "CONFLICT", "USING", "SET": true
    default: clause == "INTO" || (clause == "SET" && previous == .symbol(","))
    }
  }

  /// The keywords that begin a clause.
  private static let clauses: Set<String> = [
    "WITH", "SELECT", "FROM", "SET", "WHERE", "ON", "HAVING", "BY", "VALUES", "RETURNING", "INTO",
    "LIMIT",
  ]
}
