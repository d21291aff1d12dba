/// A search as a tree.
indirect enum SearchNode: Equatable {
  /// No row is found, because the search has no word.
  case nothing
  /// One phrase, or several that are near each other.
  case phrases(NearPhrases)
  case and([SearchNode])
  case or([SearchNode])
  /// The rows of the first node without those of the second.
  case not(SearchNode, SearchNode)
}

/// Consecutive words.
struct SearchPhrase: Equatable {
  struct Word: Equatable {
    /// The word as the index divides texts, in UTF-8.
    let term: [UInt8]
    /// Whether longer words that begin with it are found too.
    var isPrefix: Bool
  }

  var words: [Word] = []
  /// Whether the phrase must be at the beginning of a property's text.
  var isFirst = false
}

/// Phrases with at most a number of words between them.
struct NearPhrases: Equatable {
  /// Phrases with words.
  var phrases: [SearchPhrase]
  var distance = 0
  /// The searched columns, as indexes in the search index; nil for all columns.
  var columns: Set<Int>?
}

extension SearchNode {
  /// Joins two nodes whose phrases follow each other without an operator. A node without words is left
  /// out.
  static func adjacent(_ left: SearchNode, _ right: SearchNode) -> SearchNode {
    if right == .nothing { return left }
    if left == .nothing { return right }
    return and(left, right)
  }

  static func and(_ left: SearchNode, _ right: SearchNode) -> SearchNode {
    guard case .and(let nodes) = left else { return .and([left, right]) }
    return .and(nodes + [right])
  }

  static func or(_ left: SearchNode, _ right: SearchNode) -> SearchNode {
    guard case .or(let nodes) = left else { return .or([left, right]) }
    return .or(nodes + [right])
  }

  /// The word that the node finds, if it finds the rows with one word anywhere; else nil.
  var word: SearchPhrase.Word? {
    guard case .phrases(let near) = self, near.columns == nil, near.phrases.count == 1,
      let phrase = near.phrases.first, !phrase.isFirst, phrase.words.count == 1,
      let word = phrase.words.first, !word.isPrefix
    else { return nil }
    return word
  }

  /// Returns the node in which all phrases are searched in some columns only.
  func restricted(to columns: Set<Int>) -> SearchNode {
    switch self {
    case .nothing: return self
    case .phrases(var near):
      near.columns = near.columns.map { $0.intersection(columns) } ?? columns
      return near.columns?.isEmpty == true ? .nothing : .phrases(near)
    case .and(let nodes): return .and(nodes.map { $0.restricted(to: columns) })
    case .or(let nodes): return .or(nodes.map { $0.restricted(to: columns) })
    case .not(let left, let right):
      return .not(left.restricted(to: columns), right.restricted(to: columns))
    }
  }
}
