import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Counting members, and random members.
@Suite(.everyEngine) struct MemberTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func album(_ count: Int) async throws -> (MagicData, Album) {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let tracks = (0..<count).map { Track("\($0)", seconds: $0) }
    let album = Album("A", by: Artist("Ada"), tracks: tracks)
    album.bonus.set(MagicalSet(tracks))
    album.named.set(Dictionary(uniqueKeysWithValues: tracks.map { ($0.title, $0) }))
    try await magic.update(album)
    return (magic, try await magic.object(of: Album.self)[0])
  }

  @Test func countingFetchesNoMember() async throws {
    let (magic, album) = try await album(7)
    recorder.clear()
    #expect(try await album.tracks.count == 7)
    recorder.expectRan(1)
    #expect(recorder.work.allSatisfy { $0.hasPrefix("SELECT count(*)") })
    #expect(try await album.bonus.count == 7)
    #expect(try await album.named.count == 7)
    await magic.close()
  }

  @Test func oneRandomMemberIsFetched() async throws {
    let (magic, album) = try await album(50)
    _ = try await album.tracks.get()
    recorder.clear()
    let track = try #require(try await album.tracks.randomValue())
    #expect((0..<50).contains(track.seconds))
    recorder.expectRan(2)
    let pair = try #require(try await album.named.randomValue())
    #expect(pair.key == pair.value.title)
    #expect(try await album.bonus.randomValue() != nil)
    await magic.close()
  }

  @Test func everyMemberCanBeTheRandomOne() async throws {
    let (magic, album) = try await album(3)
    var seen: Set<Int> = []
    for _ in 0..<200 { try await seen.insert(album.tracks.randomValue()?.seconds ?? -1) }
    #expect(seen == [0, 1, 2])
    await magic.close()
  }

  @Test func aRangeSelectsThePositions() async throws {
    let (magic, album) = try await album(5)
    #expect(try await album.tracks.randomValue(in: 1..<2)?.seconds == 1)
    #expect(try await album.bonus.randomValue(in: 1..<2)?.seconds == 1)
    for _ in 0..<20 {
      let seconds = try #require(try await album.tracks.randomValue(in: 3..<100)?.seconds)
      #expect([3, 4].contains(seconds))
    }
    #expect(try await album.tracks.randomValue(in: 5..<9) == nil)
    #expect(try await album.tracks.randomValue(in: -3..<0) == nil)
    #expect(try await album.tracks.randomValue(in: 2..<2) == nil)
    await magic.close()
  }

  @Test func anEmptyCollectionHasNone() async throws {
    let (magic, album) = try await album(0)
    #expect(try await album.tracks.randomValue() == nil)
    #expect(try await album.bonus.randomValue() == nil)
    #expect(try await album.named.randomValue() == nil)
    await magic.close()
  }

  @Test func unsavedCollectionsBehaveTheSame() async throws {
    let album = Album("A", by: Artist("Ada"), tracks: [Track("0"), Track("1")])
    #expect(try await album.tracks.count == 2)
    #expect(try await album.tracks.randomValue(in: 1..<9)?.title == "1")
    #expect(try await album.tracks.randomValue(in: 2..<9) == nil)
    album.named.set(["k": Track("k")])
    #expect(try await album.named.randomValue()?.key == "k")
    await expect(.missingValue) { _ = try await Playlist().entries.count }
    await expect(.missingValue) { _ = try await Playlist().entries.randomValue() }
  }
}
