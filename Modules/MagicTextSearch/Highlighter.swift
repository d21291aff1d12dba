import MagicEngine

/// Finds the phrases of a search in texts.
struct Highlighter: Sendable {
  private let splitter: any TextSplitter
  private let phrases: [Phrase]

  private struct Phrase: Sendable {
    let terms: [[UInt8]]
    let isPrefix: Bool
    let columns: Set<Int>?
  }

  /// A place of a phrase, as words of the text.
  private struct Place {
    let phrase: Int
    let words: Range<Int>
  }

  init(_ phrases: [TextSearch.Phrase], _ splitter: any TextSplitter) {
    self.splitter = splitter
    self.phrases = phrases.map { phrase in
      Phrase(
        terms: splitter.words(of: phrase.text).map(\.term), isPrefix: phrase.isPrefix,
        columns: phrase.columns)
    }.filter { !$0.terms.isEmpty }
  }

  /// - Parameter column: the index of the property in the search index; nil if it is not searched.
  func highlight(_ text: String, _ column: Int?) -> MagicHighlight {
    let words = splitter.words(of: text)
    return highlight(
      text, 0..<text.utf8.count, places(in: words, column).map { bytes(of: $0, words) })
  }

  func snippet(_ text: String, _ column: Int?, _ count: Int) -> MagicHighlight {
    let words = splitter.words(of: text)
    let places = places(in: words, column)
    let count = max(count, 1)
    guard words.count > count else {
      return highlight(text, 0..<text.utf8.count, places.map { bytes(of: $0, words) })
    }
    let window = bestWindow(of: count, words.count, places)
    let inside = places.filter {
      window.lowerBound <= $0.words.lowerBound && $0.words.upperBound <= window.upperBound
    }
    let start = window.lowerBound == 0 ? 0 : words[window.lowerBound].range.lowerBound
    let end =
      window.upperBound == words.count
      ? text.utf8.count : words[window.upperBound - 1].range.upperBound
    return highlight(text, start..<max(start, end), inside.map { bytes(of: $0, words) })
  }

  /// Returns the places of all phrases, in the order of their beginnings.
  private func places(in words: [SearchedWord], _ column: Int?) -> [Place] {
    guard let column else { return [] }
    let searched = phrases.enumerated().filter { $0.element.columns?.contains(column) ?? true }
    var places: [Place] = []
    for start in words.indices {
      for (index, phrase) in searched where matches(phrase, words, at: start) {
        places.append(Place(phrase: index, words: start..<start + phrase.terms.count))
      }
    }
    return places
  }

  private func matches(_ phrase: Phrase, _ words: [SearchedWord], at start: Int) -> Bool {
    let count = phrase.terms.count
    guard start + count <= words.count else { return false }
    for offset in 0..<count {
      let (term, word) = (phrase.terms[offset], words[start + offset].term)
      guard term == word || phrase.isPrefix && offset == count - 1 && word.starts(with: term)
      else { return false }
    }
    return true
  }

  /// Returns the words with the most different phrases and then the most places, of which the first
  /// ones are best.
  private func bestWindow(of count: Int, _ total: Int, _ places: [Place]) -> Range<Int> {
    var best = (start: 0, phrases: 0, places: 0)
    var end = 0
    for (index, place) in places.enumerated() {
      let limit = place.words.lowerBound + count
      end = max(end, index)
      while end < places.count, places[end].words.upperBound <= limit { end += 1 }
      guard end > index else { continue }
      let found = Set(places[index..<end].map(\.phrase)).count
      if (found, end - index) > (best.phrases, best.places) {
        // Some words before the first place show what it is about.
        let last = places[end - 1].words.upperBound
        let before = min(3, max(0, limit - last))
        best = (max(0, place.words.lowerBound - before), found, end - index)
      }
    }
    let start = min(best.start, total - count)
    return start..<start + count
  }

  private func bytes(of place: Place, _ words: [SearchedWord]) -> Range<Int> {
    let start = words[place.words.lowerBound].range.lowerBound
    return start..<max(start, words[place.words.upperBound - 1].range.upperBound)
  }

  /// - Parameters:
  ///   - part: the bytes of the text to show.
  ///   - ranges: the bytes to highlight, in the order of their beginnings.
  private func highlight(
    _ text: String, _ part: Range<Int>, _ ranges: [Range<Int>]
  ) -> MagicHighlight {
    var merged: [Range<Int>] = []
    for range in ranges where !range.isEmpty {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    func index(_ offset: Int, in text: String) -> String.Index {
      let index = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
      return text.unicodeScalars.index(index, offsetBy: 0)
    }
    let start = index(part.lowerBound, in: text)
    let end = max(start, index(part.upperBound, in: text))
    let shown = String(text[start..<end])
    return MagicHighlight(
      text: shown,
      ranges: merged.map { range in
        let start = index(range.lowerBound - part.lowerBound, in: shown)
        return start..<index(range.upperBound - part.lowerBound, in: shown)
      }, range: start..<end, isCutAtStart: part.lowerBound > 0,
      isCutAtEnd: part.upperBound < text.utf8.count)
  }
}
