import CMemory
import EngineConformance
import Foundation
import MagicData
import MagicQueryText
import MagicTestSupport
import Testing

/// A text is the same query as a typed predicate.
@Suite struct SameQueryTests {
  private func expectSame(
    _ text: String, _ arguments: [String: Any?] = [:],
    _ typed: (MagicRow<Song>) -> MagicPredicate<Song>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let songs = MagicQuery(Song.self)
    #expect(
      try songs.where(text: text, named: arguments).sql == songs.where(typed).sql,
      sourceLocation: sourceLocation)
  }

  @Test func sqlIsThatOfTypedPredicates() throws {
    try expectSame("plays > 3 AND title == 'a'") { $0.$plays > 3 && $0.$title == "a" }
    try expectSame("plays > 3 OR NOT isLive") { $0.$plays > 3 || !$0.$isLive }
    try expectSame("subtitle == nil") { $0.$subtitle == nil }
    try expectSame("subtitle != 'a'") { $0.$subtitle != "a" }
    try expectSame("title BEGINSWITH 'a'") { $0.$title.hasPrefix("a") }
    try expectSame("title ENDSWITH 'a'") { $0.$title.hasSuffix("a") }
    try expectSame("title CONTAINS 'a'") { $0.$title.contains("a") }
    try expectSame("title LIKE[c] 'a*'") { $0.$title.like("a%") }
    try expectSame("plays IN {1, 2}") { $0.$plays.in([1, 2]) }
    try expectSame("plays BETWEEN {1, 2}") { $0.$plays.between(1, 2) }
    try expectSame("plays + 1 == 3") { $0.$plays + 1 == 3 }
    try expectSame("writer.rival.name == 'a'") { $0.$writer.$rival.$name == "a" }
    try expectSame("genre == 'pop'") { $0.$genre == .pop }
    try expectSame("released < $day", ["day": SongWorld.day]) { $0.$released < SongWorld.day }
    try expectSame("ANY remixes.plays > 3") { $0.$remixes.contains { $0.$plays > 3 } }
    try expectSame("ALL remixes.plays > 3") { $0.$remixes.allSatisfy { $0.$plays > 3 } }
    try expectSame("NONE remixes.plays > 3") { $0.$remixes.none { $0.$plays > 3 } }
    try expectSame("remixes.@count == 0") { $0.$remixes.isEmpty }
    try expectSame("remixes.isEmpty") { $0.$remixes.isEmpty }
    try expectSame("title.isEmpty OR NOT tags.isEmpty") {
      $0.$title.isEmpty || !$0.$tags.isEmpty
    }
    try expectSame("writer.name.isEmpty") { $0.$writer.$name.isEmpty }
    try expectSame("remixes.@count > 1") { $0.$remixes.count > 1 }
    try expectSame("ANY remixes.plays > plays") { row in
      row.$remixes.contains { $0.$plays > row.$plays }
    }
    try expectSame("SUBQUERY(remixes, $r, $r.plays > 3).@count > 1") {
      $0.$remixes.count { $0.$plays > 3 } > 1
    }
  }

  /// Values are bound, so texts that differ only in values share one statement.
  @Test func valuesAreNotInTheSQL() throws {
    let songs = MagicQuery(Song.self)
    let sql = try songs.where(text: "title == $0 AND plays > 12345", "secret").sql
    #expect(!sql.contains("secret") && !sql.contains("12345"))
    #expect(try songs.where(text: "title == 'x' AND plays > 1").sql == sql)
  }

  @Test func ordersAreTheSame() throws {
    let songs = MagicQuery(Song.self)
    #expect(
      try songs.order(text: "title, plays DESC").sql
        == songs.order(by: \.$title).order(by: \.$plays, .descending).sql)
  }

  /// The deepest texts need less than the smallest stack of a thread.
  @Test(arguments: [
    String(repeating: "(", count: 127) + "isLive" + String(repeating: ")", count: 127),
    String(repeating: "NOT ", count: 60) + "isLive",
    String(repeating: "NOT (", count: 60) + "isLive" + String(repeating: ")", count: 60),
    String(repeating: "(isLive AND NOT ", count: 30) + "isLive" + String(repeating: ")", count: 30),
    String(repeating: "1 + (", count: 60) + "plays" + String(repeating: ")", count: 60) + " > 3",
    String(repeating: "lowercase(", count: 60) + "title" + String(repeating: ")", count: 60)
      + " == \"a\"",
  ])
  func deepTextsNeedLittleStack(_ text: String) async throws {
    let thrown = await withCheckedContinuation { continuation in
      let thread = Thread {
        do {
          let predicate = try MagicPredicate<Song>(text: text)
          let data = try JSONEncoder().encode(predicate)
          let decoded = try JSONDecoder().decode(MagicPredicate<Song>.self, from: data)
          let sql = try MagicQuery(Song.self).where(decoded).sql
          continuation.resume(returning: sql.isEmpty ? "no SQL" : nil)
        } catch {
          continuation.resume(returning: "\(error)")
        }
      }
      // Functions that are built for Address Sanitizer need more.
      thread.stackSize = 512 * 1024 * (cmemory_is_sanitized() ? 4 : 1)
      thread.start()
    }
    #expect(thrown == nil)
  }
}
