import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Streams while writers move join rows, more at once than a page has.
@Suite struct StreamMovedLinksTests {
  let scratch = Scratch()

  /// A list: one half is streamed, and the other half is written.
  private struct Lists {
    let magic: MagicData
    let read: Album
    let written: Album

    /// Inserts new members before the one with a number, or at an index.
    func insert(_ count: Int = 1, before number: Int? = nil, at index: Int = 1) async throws {
      var tracks = try await written.tracks.get()
      let place = tracks.firstIndex { $0.seconds == number } ?? index
      tracks.insert(contentsOf: (0..<count).map { _ in Track("new", seconds: -1) }, at: place)
      written.tracks.set(tracks)
      try await magic.update(written)
    }

    func removeInserted(_ isWanted: () -> Bool) async throws {
      var tracks = try await written.tracks.get()
      tracks.removeAll { $0.seconds < 0 && isWanted() }
      written.tracks.set(tracks)
      try await magic.update(written)
    }
  }

  private func lists(_ count: Int, crowded: Int = 0) async throws -> Lists {
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let tracks = (0..<count).map { Track("\($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
    if crowded > 0 { try move(0..<crowded, by: 1) }
    return Lists(
      magic: magic, read: try await magic.object(of: Album.self)[0],
      written: try await magic.object(of: Album.self)[0])
  }

  /// The positions in order.
  private func positions() throws -> [Int64] {
    let statement = try scratch.raw().prepare(
      "SELECT position FROM \"magic_Album.tracks\" ORDER BY position")
    var positions: [Int64] = []
    while try statement.step() { positions.append(statement.column(0).integer) }
    return positions
  }

  /// Moves a range of join rows, in their order, to positions after the previous join row.
  private func move(_ range: Range<Int>, by step: Int64) throws {
    let known = try positions()
    let start = range.lowerBound > 0 ? known[range.lowerBound - 1] : known[0] - step
    let raw = try scratch.raw()
    try raw.execute(
      """
      BEGIN IMMEDIATE;
      CREATE TEMP TABLE moved AS SELECT owner, target, position AS old,
        \(start) + \(step) * (row_number() OVER (ORDER BY position) - \(range.lowerBound)) AS new
        FROM "magic_Album.tracks" ORDER BY position
        LIMIT \(range.count) OFFSET \(range.lowerBound);
      DELETE FROM "magic_Album.tracks" WHERE position IN (SELECT old FROM moved);
      INSERT INTO "magic_Album.tracks" (owner, position, target)
        SELECT owner, new, target FROM moved;
      DROP TABLE moved;
      COMMIT;
      """)
  }

  /// The numbers of the remaining members, as they are returned; others write after each page.
  private func stream(
    _ lists: Lists, afterPage: (_ page: Int, _ last: Int) async throws -> Void
  ) async throws -> [Int] {
    var members = try lists.read.tracks.createAsyncStream().makeAsyncIterator()
    var seen: [Int] = []
    var read = 0
    while let track = try await members.next() {
      read += 1
      if track.seconds >= 0 { seen.append(track.seconds) }
      if read % 512 == 0 { try await afterPage(read / 512, seen.last ?? 0) }
    }
    return seen
  }

  @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3])
  func oneInsertThatMovesMoreThanAPageRepeatsNoMember(_ page: Int) async throws {
    let lists = try await lists(4_000, crowded: 1_700)
    let before = try positions()
    let seen = try await stream(lists) { number, _ in
      if number == page { try await lists.insert() }
    }
    #expect(seen == Array(0..<4_000))
    #expect(try Set(positions()).intersection(before).count < 4_000 - 1_600)
  }

  @Test(.timeLimit(.minutes(5)))
  func oneInsertAfterEachPageRepeatsNoMember() async throws {
    let lists = try await lists(6_000)
    let seen = try await stream(lists) { page, last in
      try move(0..<min(6_000, last + 200), by: 1)
      try await lists.insert(at: page % 2)
    }
    #expect(seen == Array(0..<6_000))
  }

  @Test(.timeLimit(.minutes(5)), arguments: [700, 1_300])
  func insertsBeforeTheLastMemberRepeatNoMember(_ count: Int) async throws {
    let lists = try await lists(3_000, crowded: 1_600)
    let seen = try await stream(lists) { page, last in
      if page == 2 { try await lists.insert(count, before: last) }
    }
    #expect(seen == Array(0..<3_000))
  }

  @Test(.timeLimit(.minutes(5)), .enabled(if: Effort.isLong, "A part of the long form."))
  func insertsOneByOneBeforeTheLastMemberRepeatNoMember() async throws {
    let lists = try await lists(1_500)
    let before = try Set(positions())
    let seen = try await stream(lists) { page, last in
      guard page == 1 else { return }
      for _ in 0..<600 { try await lists.insert(before: last) }
    }
    #expect(seen == Array(0..<1_500))
    #expect(try before.subtracting(positions()).count > 0)
  }

  @Test(.timeLimit(.minutes(5)))
  func membersThatAreMovedTwiceBeforeTheyAreReadAreReturnedOnce() async throws {
    let lists = try await lists(3_000, crowded: 1_600)
    let seen = try await stream(lists) { page, _ in
      guard page < 8 else { return }
      // Before members that were read: the read members are moved repeatedly.
      try await lists.insert(600, before: 100)
      try move(0..<2_500, by: 1)
      try await lists.insert(at: 1)
    }
    #expect(seen == Array(0..<3_000))
  }

  @Test(.timeLimit(.minutes(5)))
  func ifEveryJoinRowIsMovedNoMemberIsRepeatedOrMissed() async throws {
    let lists = try await lists(3_000)
    let seen = try await stream(lists) { page, _ in
      let raw = try scratch.raw()
      // Distant, so that no position equals that of another join row.
      let distance: Int64 = page.isMultiple(of: 2) ? 1 << 50 : -(1 << 49)
      try raw.execute("UPDATE \"magic_Album.tracks\" SET position = position + \(distance)")
    }
    #expect(seen == Array(0..<3_000))
  }

  @Test(.timeLimit(.minutes(5)))
  func aMemberThatOccursTwiceIsReturnedTwiceWhenJoinRowsAreMoved() async throws {
    let magic = try await MagicData(path: scratch.file())
    let half = (0..<700).map { Track("\($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: half + half))
    try move(0..<900, by: 1)
    let lists = Lists(
      magic: magic, read: try await magic.object(of: Album.self)[0],
      written: try await magic.object(of: Album.self)[0])
    let seen = try await stream(lists) { _, _ in try await lists.insert() }
    #expect(seen == Array(0..<700) + Array(0..<700))
  }

  @Test(
    .timeLimit(.minutes(5)), arguments: Effort.choose(first: 3, of: 1...8 as ClosedRange<UInt64>))
  func remainingMembersAreReturnedOnceForAnyWrites(_ seed: UInt64) async throws {
    var numbers = SeededRandom(seed)
    let count = 2_000 + Int(seed) * 300
    let lists = try await lists(count)
    let seen = try await stream(lists) { page, last in
      for _ in 0..<Int.random(in: 0...3, using: &numbers) where page < 24 {
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: try await lists.insert(at: 0)
        case 1: try await lists.insert(Int.random(in: 1...900, using: &numbers), at: 1)
        case 2:
          try await lists.insert(Int.random(in: 1...900, using: &numbers), before: last)
        case 3: try await lists.insert(Int.random(in: 1...40, using: &numbers), before: last + 1)
        case 4: try await lists.removeInserted { Bool.random(using: &numbers) }
        case 5: try move(0..<min(try positions().count, last + 600), by: 1)
        default:
          let places = try positions()
          let start = Int.random(in: 0..<places.count, using: &numbers)
          let end = Int.random(in: start..<places.count, using: &numbers)
          let span = places[end] - (start > 0 ? places[start - 1] : places[0] - 1)
          let step = Int64.random(in: 1...max(1, span / Int64(end - start + 1)), using: &numbers)
          try move(start..<(end + 1), by: step)
        }
      }
    }
    #expect(seen == Array(0..<count))
  }
}
