import MagicData

/// A search, which the library runs and the model answers.
indirect enum DrawnSearch: CustomStringConvertible {
  case typed(String)
  case phrase(String, isPrefix: Bool)
  case near([String], Int)
  case and(DrawnSearch, DrawnSearch)
  case or(DrawnSearch, DrawnSearch)
  case without(DrawnSearch, DrawnSearch)

  /// Reads a search from an input.
  init(_ input: inout ByteReader, depth: Int = 0) {
    func text(_ limit: Int) -> String { SearchText.read(&input, upTo: limit) }
    switch input.number(below: depth < 3 ? 7 : 4) {
    case 0: self = .typed(text(12))
    case 1: self = .phrase(text(8), isPrefix: false)
    case 2: self = .phrase(text(4), isPrefix: true)
    case 3:
      let texts = (0..<(1 + input.number(below: 3))).map { _ in text(4) }
      self = .near(texts, input.number(below: 5))
    case 4: self = .and(.init(&input, depth: depth + 1), .init(&input, depth: depth + 1))
    case 5: self = .or(.init(&input, depth: depth + 1), .init(&input, depth: depth + 1))
    default: self = .without(.init(&input, depth: depth + 1), .init(&input, depth: depth + 1))
    }
  }

  var match: MagicMatch {
    switch self {
    case .typed(let text): .typed(text)
    case .phrase(let text, isPrefix: true): .prefix(text)
    case .phrase(let text, isPrefix: false): .phrase(text)
    case .near(let texts, let distance): .near(texts, within: distance)
    case .and(let left, let right): left.match && right.match
    case .or(let left, let right): left.match || right.match
    case .without(let left, let right): left.match && !right.match
    }
  }

  /// Whether the search finds a row whose properties have these words.
  func finds(_ texts: [[String]]) -> Bool {
    switch self {
    case .typed(let text):
      let parts = text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
      let isOpen = text.unicodeScalars.last?.properties.isWhitespace == false
      let phrases = parts.indices.map {
        Phrase(words: SearchText.words(parts[$0]), isPrefix: isOpen && $0 == parts.count - 1)
      }.filter { !$0.words.isEmpty }
      return !phrases.isEmpty
        && phrases.allSatisfy { phrase in texts.contains { !phrase.places(in: $0).isEmpty } }
    case .phrase(let text, let isPrefix):
      let phrase = Phrase(words: SearchText.words(text), isPrefix: isPrefix)
      return texts.contains { !phrase.places(in: $0).isEmpty }
    case .near(let phrases, let distance):
      let phrases = phrases.map { Phrase(words: SearchText.words($0), isPrefix: false) }
        .filter { !$0.words.isEmpty }
      return texts.contains { Self.areNear(phrases, distance, in: $0) }
    case .and(let left, let right): return left.finds(texts) && right.finds(texts)
    case .or(let left, let right): return left.finds(texts) || right.finds(texts)
    case .without(let left, let right): return left.finds(texts) && !right.finds(texts)
    }
  }

  /// Whether each phrase has a place from whose end at most a number of other words follow until the
  /// last of the places begins.
  private static func areNear(_ phrases: [Phrase], _ distance: Int, in text: [String]) -> Bool {
    let places = phrases.map { $0.places(in: text) }
    return places.joined().contains { last in
      zip(phrases, places).allSatisfy { phrase, places in
        places.contains { $0 <= last && $0 + phrase.words.count + distance >= last }
      }
    }
  }

  /// Consecutive words, of which the last can be the start of a word.
  private struct Phrase {
    let words: [String]
    let isPrefix: Bool

    /// The places of the phrase in the words of a text.
    func places(in text: [String]) -> [Int] {
      guard let last = words.last else { return [] }
      return text.indices.filter { place in
        let found = text[place...].prefix(words.count)
        guard found.count == words.count, found.dropLast().elementsEqual(words.dropLast()),
          let end = found.last
        else { return false }
        return isPrefix ? end.unicodeScalars.starts(with: last.unicodeScalars) : end == last
      }
    }
  }

  var description: String {
    switch self {
    case .typed(let text): "typed \(text.debugDescription)"
    case .phrase(let text, let isPrefix):
      "\(isPrefix ? "prefix" : "phrase") \(text.debugDescription)"
    case .near(let texts, let distance): "near \(texts) \(distance)"
    case .and(let left, let right): "(\(left) and \(right))"
    case .or(let left, let right): "(\(left) or \(right))"
    case .without(let left, let right): "(\(left) without \(right))"
    }
  }
}
