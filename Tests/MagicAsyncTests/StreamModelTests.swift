import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Streams during writes: members that exist throughout are returned exactly once.
@Suite(.everyEngine) struct StreamModelTests {
  let scratch = Scratch()

  /// Remaining members have numbers of 0 or more, others less.
  private func isKept(_ track: Track) -> Bool { track.seconds >= 0 }

  private func positions() throws -> [Int64: Int64] {
    let statement = try scratch.raw().prepare(
      "SELECT target, position FROM \"magic_Album.tracks\"")
    var positions: [Int64: Int64] = [:]
    while try statement.step() {
      positions[statement.column(0).integer] = statement.column(1).integer
    }
    return positions
  }

  @Test(
    .requires(.files), .timeLimit(.minutes(5)),
    arguments: Effort.choose(first: 2, of: [1, 2, 3, 4] as [UInt64]))
  func membersThatAreMovedAtTheEndOfAPageAreReturnedOnce(_ seed: UInt64) async throws {
    var numbers = SeededRandom(seed)
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let count = 1_400
    let kept = (0..<count).map { Track("\($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: kept))
    let album = try await magic.object(of: Album.self)[0]
    let writer = try await magic.object(of: Album.self)[0]
    var tracks = try await writer.tracks.get()
    let before = try positions()

    var seen: [Int] = []
    var read = 0
    for try await track in try album.tracks.createAsyncStream() {
      read += 1
      if isKept(track) { seen.append(track.seconds) }
      guard read % 512 == 0 else { continue }
      // At the boundary of two pages, in both directions.
      let border = tracks.firstIndex { $0.seconds == seen.last } ?? 0
      let place = min(tracks.count - 8, max(0, border + Int.random(in: -4...2, using: &numbers)))
      for _ in 0..<70 {
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0:
          let near = max(0, border - 8)..<min(tracks.count, border + 8)
          if let index = near.first(where: { !isKept(tracks[$0]) }) { tracks.remove(at: index) }
        default: tracks.insert(Track("new", seconds: -1), at: place)
        }
        writer.tracks.set(tracks)
        try await magic.update(writer)
      }
    }
    #expect(seen == Array(0..<count))
    let after = try positions()
    #expect(before.contains { after[$0.key] != $0.value }, "No link was moved.")
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3] as [UInt64])
  func removingAtTheEndOfAPageSkipsNoMember(_ seed: UInt64) async throws {
    var numbers = SeededRandom(seed)
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    // Every remaining member occurs twice, with others between.
    let kept = (0..<300).map { Track("\($0)", seconds: $0) }
    var tracks: [Track] = []
    for _ in 0..<2 {
      for track in kept { tracks += [track, Track("new", seconds: -1), Track("new", seconds: -1)] }
    }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
    let album = try await magic.object(of: Album.self)[0]
    let writer = try await magic.object(of: Album.self)[0]
    tracks = try await writer.tracks.get()
    var seen: [Int] = []
    var read = 0
    for try await track in try album.tracks.createAsyncStream() {
      read += 1
      if isKept(track) { seen.append(track.seconds) }
      guard read % 512 == 0 else { continue }
      for _ in 0..<40 {
        let near = max(0, read - 30)..<min(tracks.count, read + 30)
        guard let index = near.filter({ !isKept(tracks[$0]) }).randomElement(using: &numbers)
        else { break }
        tracks.remove(at: index)
      }
      writer.tracks.set(tracks)
      try await magic.update(writer)
    }
    #expect(seen == Array(0..<300) + Array(0..<300))
    await magic.close()
  }

  @Test func readingContinuesAfterAPageWhoseMembersWereAllRemoved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let tracks = (0..<1_200).map { Track("\($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
    let album = try await magic.object(of: Album.self)[0]
    var seen: [Int] = []
    for try await track in try album.tracks.createAsyncStream() {
      seen.append(track.seconds)
      if seen.count == 512 { try await magic.remove(contentsOf: tracks[..<512]) }
    }
    #expect(seen == Array(0..<1_200))
  }

  @Test(.timeLimit(.minutes(5))) func writersAndReadersAtOnce() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let count = 1_500
    let kept = (0..<count).map { Track("\($0)", seconds: $0) }
    let made = Album("A", by: Artist("Ada"), tracks: kept)
    made.bonus.set(MagicalSet(kept))
    made.named.set(Dictionary(uniqueKeysWithValues: kept.map { ("k\($0.seconds)", $0) }))
    try await magic.update(made)
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<2 {
        group.addTask {
          var numbers = SeededRandom(UInt64(task + 7))
          let album = try await magic.object(of: Album.self)[0]
          while !isOver.isSet {
            var tracks = try await album.tracks.get()
            for _ in 0..<30 {
              tracks.insert(
                Track("new", seconds: -1), at: Int.random(in: 490...530, using: &numbers))
            }
            tracks.removeAll { $0.seconds < 0 && Bool.random(using: &numbers) }
            album.tracks.set(tracks)
            var named = try await album.named.get()
            for number in 0..<20 { named["n\(task).\(number)"] = Track("new", seconds: -1) }
            if Bool.random(using: &numbers) { named = named.filter { $0.value.seconds >= 0 } }
            album.named.set(named)
            var bonus = try await album.bonus.get()
            bonus.removeAll { $0.seconds < 0 }
            bonus.insert(Track("new", seconds: -1))
            album.bonus.set(bonus)
            try await magic.update(album)
          }
        }
      }
      group.addTask {
        defer { isOver.set() }
        let album = try await magic.object(of: Album.self)[0]
        for _ in 0..<6 {
          var seen: [Int] = []
          for try await track in try album.tracks.createAsyncStream() where track.seconds >= 0 {
            seen.append(track.seconds)
          }
          #expect(seen == Array(0..<count))
          var named: [Int] = []
          for try await (_, track) in try album.named.createAsyncStream() where track.seconds >= 0 {
            named.append(track.seconds)
          }
          #expect(named.sorted() == Array(0..<count))
          var bonus: [Int] = []
          for try await track in try album.bonus.createAsyncStream() where track.seconds >= 0 {
            bonus.append(track.seconds)
          }
          #expect(bonus.sorted() == Array(0..<count))
        }
      }
      try await group.waitForAll()
    }
    await magic.close()
  }
}
