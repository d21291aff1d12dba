import EngineConformance
import Foundation
import MagicData
import MagicGraph
@testable import MagicQuery
import MagicTestSupport
import Testing

/// A type whose values are often equal or nil.
struct Entry: MagicObject {
  @MagicValue(.indexed) var rank: Int = 0
  @MagicValue var text: String = ""
  @OptionMagicValue(.indexed) var score: Double?
  @OptionMagicValue var mark: Data?
  @MagicValue var day: Date = Date(timeIntervalSinceReferenceDate: 0)
  @OptionMagicValue var parent: Entry?

  init() {}
}

/// Pages of objects that begin at a cursor.
@Suite(.everyEngine) struct PageTests {
  typealias Entries = MagicQuery<Entry, MagicObjectStore>

  private let test: TestStore
  private let entries: Entries

  init() throws {
    test = try TestStore()
    entries = test.store.query(Entry.self)
  }

  private func fill(_ count: Int, _ random: inout some RandomNumberGenerator) throws -> [Entry] {
    let texts = ["", "a", "A", "é", "e\u{301}", "🎵", "\u{0}b", "ab", "zz"]
    let scores = [nil, 0, -0.0, 1.5, .infinity, -.infinity, 1.5]
    let objects = (0..<count).map { _ in
      let entry = Entry()
      entry.rank = Int.random(in: -2...2, using: &random)
      entry.text = texts.randomElement(using: &random) ?? ""
      entry.score = scores.randomElement(using: &random) ?? nil
      if Bool.random(using: &random) { entry.mark = Data([.random(in: 0...3, using: &random)]) }
      entry.day = Date(timeIntervalSinceReferenceDate: .random(in: -5...5, using: &random))
      return entry
    }
    for entry in objects where Bool.random(using: &random) {
      entry.parent = objects.randomElement(using: &random)
    }
    try test.store.update(contentsOf: objects)
    return objects
  }

  private static let orders: [@Sendable (Entries) -> Entries] = [
    { $0 },
    { $0.order(by: \.$rank) },
    { $0.order(by: \.$rank, .descending) },
    { $0.order(by: \.$score) },
    { $0.order(by: \.$score, .descending) },
    { $0.order(by: \.$text).order(by: \.$rank, .descending) },
    { $0.order(by: \.$score, .descending).order(by: \.$text).order(by: \.$day) },
    { $0.order { $0.$rank * $0.$rank }.order(by: \.$day, .descending) },
    { $0.order(by: \.$parent.$rank).order(by: \.$score) },
    { $0.order(.descending) { $0.$text.count }.where(\.$rank > -2) },
    { $0.order { $0.zIndex } },
  ]

  @Test func pagesInBothDirectionsAreTheWholeQuery() throws {
    var random = SeededRandom(7)
    _ = try fill(60, &random)
    for (number, order) in Self.orders.enumerated() {
      let query = order(entries)
      let all = try query.all().map(\.zIndex)
      for limit in [1, 7, 20, all.count, all.count + 1] {
        var found: [ZIndex?] = []
        var cursor: MagicCursor?
        repeat {
          let page = try query.page(after: cursor, limit: limit)
          #expect(page.objects.count <= limit)
          #expect(!page.objects.isEmpty)
          #expect(page.previous == cursor)
          found += page.objects.map(\.zIndex)
          cursor = page.next
        } while cursor != nil
        #expect(found == all, "order \(number), limit \(limit)")
        found = []
        repeat {
          let page = try query.page(before: cursor, limit: limit)
          #expect(page.next == cursor)
          found = page.objects.map(\.zIndex) + found
          cursor = page.previous
        } while cursor != nil
        #expect(found == all, "backward, order \(number), limit \(limit)")
      }
    }
  }

  @Test func aCursorWorksInBothDirections() throws {
    var random = SeededRandom(8)
    _ = try fill(30, &random)
    for order in Self.orders {
      let query = order(entries)
      let all = try query.all().map(\.zIndex)
      let second = try query.page(after: query.page(limit: 5).next, limit: 5)
      #expect(second.objects.map(\.zIndex) == Array(all[5..<10]))
      let first = try query.page(before: second.previous, limit: 10)
      #expect(first.objects.map(\.zIndex) == Array(all[..<5]))
      #expect(first.previous == nil)
      #expect(
        try query.page(after: first.next, limit: 5).objects.map(\.zIndex) == Array(all[5..<10]))
      let last = try query.page(before: nil, limit: 4)
      #expect(last.objects.map(\.zIndex) == Array(all.suffix(4)))
      #expect(last.next == nil)
      let before = try #require(last.previous)
      #expect(try query.page(after: before, limit: 9).objects.map(\.zIndex) == Array(all.suffix(4)))
    }
  }

  @Test func insertedAndDeletedObjectsDoNotShiftPages() throws {
    for rank in 0..<20 {
      let entry = Entry()
      entry.rank = rank * 10
      try test.store.update(entry)
    }
    let query = entries.order(by: \.$rank)
    let first = try query.page(limit: 5)
    #expect(first.objects.map(\.rank) == [0, 10, 20, 30, 40])
    // The object at the cursor and one before it are deleted, and one is inserted on each side.
    try query.where { $0.$rank.in([0, 40]) }.delete()
    for rank in [35, 45] {
      let entry = Entry()
      entry.rank = rank
      try test.store.update(entry)
    }
    let second = try query.page(after: first.next, limit: 3)
    #expect(second.objects.map(\.rank) == [45, 50, 60])
    #expect(
      try query.page(before: second.previous, limit: 9).objects.map(\.rank) == [10, 20, 30, 35])
  }

  @Test func theConditionsOfTheQueryMayChange() throws {
    for rank in 0..<10 {
      let entry = Entry()
      entry.rank = rank
      try test.store.update(entry)
    }
    let query = entries.order(by: \.$rank)
    let cursor = try #require(try query.page(limit: 4).next)
    let page = try query.where(\.$rank != 5).page(after: cursor, limit: 3)
    #expect(page.objects.map(\.rank) == [4, 6, 7])
  }

  @Test func anEmptyResultIsOnePageWithoutCursors() throws {
    let page = try entries.order(by: \.$rank).page(limit: 3)
    #expect(page.objects.isEmpty && page.next == nil && page.previous == nil)
    let last = try entries.page(before: nil, limit: 3)
    #expect(last.objects.isEmpty && last.next == nil && last.previous == nil)
  }

  @Test func aCursorIsEncodedAndAText() throws {
    var random = SeededRandom(9)
    _ = try fill(20, &random)
    for order in Self.orders {
      let query = order(entries)
      let cursor = try #require(try query.page(limit: 3).next)
      let decoded = try JSONDecoder().decode(
        [MagicCursor].self, from: JSONEncoder().encode([cursor]))
      #expect(decoded == [cursor])
      #expect(MagicCursor(cursor.description) == cursor)
      #expect(cursor.description.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
    }
  }

  @Test func aCursorOfAnotherQueryIsRefused() throws {
    var random = SeededRandom(10)
    _ = try fill(9, &random)
    for (number, order) in Self.orders.enumerated() {
      let cursor = try order(entries).page(limit: 2).next
      for (other, order) in Self.orders.enumerated() where other != number {
        #expect(
          code { try order(entries).page(after: cursor, limit: 2) } == .invalidQuery,
          "\(number) and \(other)")
      }
      #expect(
        code { try test.store.query(Note.self).page(after: cursor, limit: 2) } == .invalidQuery)
    }
  }

  @Test func mistakesAreErrors() throws {
    #expect(code { try entries.page(limit: 0) } == .invalidQuery)
    #expect(code { try entries.page(before: nil, limit: -1) } == .invalidQuery)
    #expect(code { try entries.limit(3).page(limit: 2) } == .invalidQuery)
    #expect(code { try entries.offset(3).page(limit: 2) } == .invalidQuery)
    #expect(code { try entries.order(.random).page(limit: 2) } == .invalidQuery)
  }

  @Test func hostileTextsAreNotCursors() throws {
    var random = SeededRandom(11)
    _ = try fill(9, &random)
    let query = entries.order(by: \.$text)
    let cursor = try #require(try query.page(limit: 3).next)
    for text in ["", " ", "=", "AQ", "AQEAAA", "🎵", "AAAA", String(repeating: "_", count: 9_999)] {
      #expect(MagicCursor(text) == nil)
    }
    let bytes = try #require(Data(base64Encoded: Self.padded(cursor.description)))
    var accepted = 0
    for place in bytes.indices {
      for change: UInt8 in [1, 7, 64, 128] {
        var changed = bytes
        changed[place] ^= change
        guard let other = MagicCursor(Self.url(changed)) else { continue }
        accepted += 1
        // A place in the order, or an error.
        let code = code { try query.page(after: other, limit: 3) }
        #expect(code == nil || code == .invalidQuery)
      }
      // At the end of a value the beginning is a cursor with fewer values.
      if let shorter = MagicCursor(Self.url(bytes.prefix(place))) {
        #expect(code { try query.page(after: shorter, limit: 3) } == .invalidQuery)
      }
    }
    #expect(accepted > 0)
  }

  @Test func aCursorWithValuesThatTheOrderCannotHaveIsRefused() throws {
    var random = SeededRandom(21)
    _ = try fill(9, &random)
    let wrong: [(Entries, [MagicCursor.Value])] = [
      (entries.order(by: \.$rank), [.null, .text("1"), .real(0), .blob([1])]),
      (entries.order(by: \.$text), [.null, .integer(1), .blob([65])]),
      (entries.order(by: \.$score), [.text("1"), .blob([])]),
      (entries.order { $0.$rank * 2 + 1 }, [.null, .text("9")]),
      (entries.order { $0.$text.count }, [.null, .text("9"), .real(0)]),
      (entries.order { $0.$text.lowercased() }, [.integer(9)]),
      (entries.order { $0.$rank > 3 }, [.text("a"), .null]),
    ]
    for (number, (query, values)) in wrong.enumerated() {
      let cursor = try #require(try query.page(limit: 3).next)
      for value in values {
        let hostile = MagicCursor(
          order: cursor.order, values: [value] + cursor.values.dropFirst(),
          isAfter: cursor.isAfter)
        for isBackward in [false, true] {
          #expect(
            code {
              isBackward
                ? try query.page(before: hostile, limit: 3)
                : try query.page(after: hostile, limit: 3)
            } == .invalidQuery, "\(number): \(value)")
        }
      }
      #expect(code { try query.page(after: cursor, limit: 3) } == nil)
    }
  }

  @Test func anExpressionThatIsNeverNilIsOrderedInOneStatement() throws {
    let orders: [(Entries, Int)] = [
      (entries.order { $0.$rank * 2 + 1 }, 1), (entries.order { $0.$text.lowercased() }, 1),
      (entries.order { $0.$text.count }, 1), (entries.order { $0.$rank > 3 }, 1),
      (entries.order(by: \.$score), 2), (entries.order { $0.$rank / $0.$rank }, 2),
    ]
    var random = SeededRandom(22)
    _ = try fill(30, &random)
    for (number, (query, count)) in orders.enumerated() {
      let place = try #require(try query.page(limit: 12).next)
      let requests = try [false, true].map {
        try PageRequest<Entry>(query.plan, RelationshipLoading(), place, limit: 4, isBackward: $0)
      }
      #expect(requests.map(\.parts.count).max() == count, "\(number)")
    }
  }

  private static func padded(_ text: String) -> String {
    let base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    return base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
  }

  private static func url(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  @Test func aCursorOfAnOrderWithOtherValuesIsRefused() throws {
    var random = SeededRandom(14)
    _ = try fill(9, &random)
    let cursor = try entries.order { $0.$rank * 2 }.page(limit: 2).next
    #expect(code { try entries.order { $0.$rank * 2 }.page(after: cursor, limit: 2) } == nil)
    #expect(
      code { try entries.order { $0.$rank * -2 }.page(after: cursor, limit: 2) } == .invalidQuery)
  }

  @Test(.requires(.statements)) func anIndexFindsTheBeginningOfAPage() throws {
    var random = SeededRandom(12)
    _ = try fill(30, &random)
    let orders: [(Entries) -> Entries] = [
      { $0 },
      { $0.order(by: \.$rank) },
      { $0.order(by: \.$rank, .descending) },
      { $0.order(by: \.$score) },
      { $0.order(by: \.$score, .descending) },
      { $0.order(by: \.$rank).order(by: \.$day, .descending) },
      { $0.order(by: \.$score, .descending).order(by: \.$text) },
    ]
    for (number, order) in orders.enumerated() {
      let query = order(entries)
      var cursor = try query.page(limit: 4).next
      while let place = cursor {
        for isBackward in [false, true] {
          let request = try PageRequest<Entry>(
            query.plan, RelationshipLoading(), place, limit: 4, isBackward: isBackward)
          for (part, query) in request.parts.enumerated() {
            let plan = try test.store._read { try $0.reader.plan(of: query) }
            let isSearch = !plan.allSteps.contains { $0.access == .scan }
            #expect(isSearch || part > 0, "\(number): \(plan)")
            // Only rows that are equal in the first property are sorted.
            let isSorted = plan.allSteps.contains { $0.text.contains("FOR ORDER BY") }
            #expect(!isSorted, "\(number): \(plan)")
          }
        }
        cursor = try query.page(after: place, limit: 4).next
      }
    }
  }
}
