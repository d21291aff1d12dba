/// What a search finds.
///
/// ```swift
/// let found = try await magic.query(Essay.self)
///   .matching(.phrase("group commit") || .near("disk", "sync", 5) && !.word("draft"))
///   .all()
/// ```
///
/// Words are compared as `MagicSearch` of the type states: by default without regard to case and
/// accents. All characters other than letters and digits separate words, so no text is invalid,
/// except that of ``raw(_:)``, and a search of more than 1,000 words or 64 KB.
public struct MagicMatch: Sendable, Hashable {
  enum Node: Sendable, Hashable {
    case typed(String)
    case phrase(String, isPrefix: Bool)
    case near([String], Int)
    case raw(String)
    case and([MagicMatch])
    case or([MagicMatch])
    indirect case not(MagicMatch)
  }

  let node: Node

  init(_ node: Node) { self.node = node }

  /// All words of a text that a person types. The last one may be the beginning of a word, unless
  /// white space follows it. An empty text finds nothing.
  public static func typed(_ text: String) -> MagicMatch { MagicMatch(.typed(text)) }

  /// A word.
  public static func word(_ word: String) -> MagicMatch {
    MagicMatch(.phrase(word, isPrefix: false))
  }

  /// A word with the given beginning.
  public static func prefix(_ text: String) -> MagicMatch {
    MagicMatch(.phrase(text, isPrefix: true))
  }

  /// Consecutive words.
  public static func phrase(_ text: String) -> MagicMatch {
    MagicMatch(.phrase(text, isPrefix: false))
  }

  /// Two words or phrases with a number of other words between them at most, in either order.
  public static func near(_ first: String, _ second: String, _ distance: Int) -> MagicMatch {
    near([first, second], within: distance)
  }

  /// Words or phrases with a number of other words between them at most, in any order.
  public static func near(_ phrases: [String], within distance: Int = 10) -> MagicMatch {
    MagicMatch(.near(phrases, distance))
  }

  /// A text in the query syntax of FTS5, which the database uses. The columns are named `c0`, `c1` and so on, in the
  /// order of the properties. Hits have no highlights. If the syntax is wrong, the query throws
  /// `.invalidQuery` when it runs.
  public static func raw(_ text: String) -> MagicMatch { MagicMatch(.raw(text)) }

  /// What both find.
  public static func && (left: MagicMatch, right: MagicMatch) -> MagicMatch {
    MagicMatch(.and(left.conjuncts + right.conjuncts))
  }

  /// What either of them finds.
  public static func || (left: MagicMatch, right: MagicMatch) -> MagicMatch {
    MagicMatch(.or(left.disjuncts + right.disjuncts))
  }

  /// Excludes what a search finds. Use it with `&&`: a search that only excludes makes the query throw
  /// `.invalidQuery` when it runs. `!$0.matches("draft")` is possible.
  public static prefix func ! (match: MagicMatch) -> MagicMatch {
    if case .not(let excluded) = match.node { excluded } else { MagicMatch(.not(match)) }
  }

  private var conjuncts: [MagicMatch] {
    if case .and(let all) = node { all } else { [self] }
  }

  private var disjuncts: [MagicMatch] {
    if case .or(let all) = node { all } else { [self] }
  }
}
