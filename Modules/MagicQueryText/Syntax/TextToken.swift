/// A token of a text.
struct TextToken {
  enum Form: Equatable {
    /// A name or a keyword.
    case word(String)
    /// A name after `#`, which is not a keyword.
    case name(String)
    case text(String)
    case number(String)
    case symbol(String)
    /// A letter after `%`.
    case format(Character)
    /// `$0`
    case indexed(Int)
    /// `$name`
    case named(String)
    /// A name after `@`.
    case function(String)
    case end
  }

  let form: Form
  /// The number of Unicode scalars before the token.
  let position: Int
}

/// The words that are not names of properties unless `#` precedes them.
enum TextKeyword: String, CaseIterable {
  case and, or, not, between, contains, beginswith, endswith, like, matches
  case isIn = "in"
  case anyOf = "any"
  case someOf = "some"
  case allOf = "all"
  case noneOf = "none"
  case null, yes, no, truepredicate, falsepredicate
  case nilValue = "nil"
  case trueValue = "true"
  case falseValue = "false"
  case object = "self"
  case subquery, cast, asc, desc

  init?(_ word: String) { self.init(rawValue: word.lowercased()) }
}
