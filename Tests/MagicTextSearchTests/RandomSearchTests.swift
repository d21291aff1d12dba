import Foundation
import MagicData
import MagicTestSupport
import Testing

struct Line: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 2)) var first: String = ""
  @MagicValue(.searchable) var second: [String] = []
  @MagicValue var number: Int = 0
  static var search: MagicSearch { .words().prefixes(2...2) }

  init() {}
}

/// Random edits of several kinds of writers, and random searches, compared with a model.
@Suite struct RandomSearchTests {
  static let words = ["ab", "abc", "b", "bc", "cab", "éa", "EA", "d", "x-y"]

  /// The words of the two properties of each row, by its primary.
  private var model: [Int: [[String]]] = [:]
  private var random = SeededRandom(Effort("SEARCH", rounds: 1).seed)
  private let scratch = Scratch()

  private mutating func text() -> String {
    (0..<random.below(7)).map { _ in Self.words[random.below(Self.words.count)] }
      .joined(separator: [" ", ", ", "\n"][random.below(3)])
  }

  /// The words of a text, as the index has them.
  private static func split(_ text: String) -> [String] {
    text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
      .split { !$0.isLetter }.map(String.init)
  }

  private indirect enum Search {
    case words([String]), prefix(String), near(String, String, Int)
    case and(Search, Search), or(Search, Search), without(Search, Search)

    var match: MagicMatch {
      switch self {
      case .words(let words): .phrase(words.joined(separator: " "))
      case .prefix(let text): .prefix(text)
      case .near(let first, let second, let distance): .near(first, second, distance)
      case .and(let left, let right): left.match && right.match
      case .or(let left, let right): left.match || right.match
      case .without(let left, let right): left.match && !right.match
      }
    }

    func finds(_ texts: [[String]]) -> Bool {
      switch self {
      case .words(let words):
        let words = words.flatMap(RandomSearchTests.split)
        return texts.contains { text in
          text.indices.contains { text[$0...].starts(with: words) }
        }
      case .prefix(let start):
        let start = RandomSearchTests.split(start)[0]
        return texts.contains { $0.contains { $0.hasPrefix(start) } }
      case .near(let first, let second, let distance):
        let (first, second) = (
          RandomSearchTests.split(first)[0], RandomSearchTests.split(second)[0]
        )
        return texts.contains { text in
          text.indices.contains { one in
            text[one] == first
              && text.indices.contains {
                $0 != one && text[$0] == second && abs($0 - one) - 1 <= distance
              }
          }
        }
      case .and(let left, let right): return left.finds(texts) && right.finds(texts)
      case .or(let left, let right): return left.finds(texts) || right.finds(texts)
      case .without(let left, let right): return left.finds(texts) && !right.finds(texts)
      }
    }
  }

  private mutating func word(simple: Bool = false) -> String {
    Self.words[random.below(Self.words.count - (simple ? 1 : 0))]
  }

  private mutating func search(depth: Int = 0) -> Search {
    switch random.below(depth < 3 ? 6 : 3) {
    case 0: return .words((0...random.below(2)).map { _ in word() })
    case 1: return .prefix(String(word(simple: true).prefix(1 + random.below(2))))
    case 2:
      // "b" is near itself only if it occurs twice, which the index counts in another way.
      return .near("b", ["ab", "d", "cab"][random.below(3)], random.below(4))
    case 3: return .and(search(depth: depth + 1), search(depth: depth + 1))
    case 4: return .or(search(depth: depth + 1), search(depth: depth + 1))
    default: return .without(search(depth: depth + 1), search(depth: depth + 1))
    }
  }

  @Test mutating func searchesFindWhatAModelFinds() async throws {
    let magic = try await MagicData(path: scratch.file())
    for round in 0..<Effort("SEARCH", rounds: 120, long: 2_000).rounds {
      try await change(magic)
      for _ in 0..<3 {
        let search = search()
        let found = try await magic.query(Line.self).matching(search.match).all().map(\.id)
        let expected = model.filter { search.finds($0.value) }.map(\.key)
        #expect(Set(found) == Set(expected), "round \(round): \(search.match)")
        #expect(found.count == expected.count)
      }
    }
    #expect(try await magic.verify().findings.isEmpty)
  }

  private mutating func change(_ magic: MagicData) async throws {
    let ids = model.keys.sorted()
    let (first, second) = (text(), [text(), text()])
    let words = [Self.split(first), second.flatMap(Self.split)]
    let existing = ids.isEmpty ? nil : ids[random.below(ids.count)]
    switch (random.below(7), existing) {
    case (0, let id?):
      try await magic.remove(try await magic.object(of: Line.self, primary: id))
      model[id] = nil
    case (1, let id?):
      let json = String(decoding: try JSONEncoder().encode(second), as: UTF8.self)
      try scratch.change(
        "UPDATE Line SET first = 'other'; UPDATE Line SET first = '\(first)', "
          + "second = CAST('\(json.replacingOccurrences(of: "'", with: "''"))' AS BLOB) WHERE id = \(id)"
      )
      for key in model.keys { model[key]?[0] = ["other"] }
      model[id] = words
    case (2, let id?):
      try scratch.change("DELETE FROM Line WHERE id = \(id)")
      model[id] = nil
    case (3, let id?):
      try await magic.query(Line.self).where(\.$id == id).update(set: \.$first, to: first)
      model[id]?[0] = words[0]
    case (4, let id?):
      let line = try await magic.object(of: Line.self, primary: id)
      (line.first, line.second) = (first, second)
      try await magic.update(line)
      model[id] = words
    default:
      let line = Line()
      (line.first, line.second) = (first, second)
      try await magic.update(line)
      model[line.id] = words
    }
  }
}
