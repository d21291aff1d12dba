import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Pages of members in files with rows of another tool.
@Suite struct ForeignMemberTests {
  let scratch = Scratch()

  struct KeyedShelf: MagicObject {
    @MagicValue var tracks: AsyncMagical<[UUID: Track]> = .init(value: [:])
  }

  @Test func aPageContinuesAfterTheStoredKey() async throws {
    let magic = try await MagicData(path: scratch.file())
    let shelf = KeyedShelf()
    shelf.tracks.set(
      Dictionary(uniqueKeysWithValues: (0..<1_100).map { (UUID(), Track("\($0)")) }))
    try await magic.update(shelf)
    let raw = try scratch.raw()
    try raw.execute("UPDATE \"magic_KeyedShelf.tracks\" SET \"key\" = lower(\"key\")")
    raw.close()
    let fetched = try await magic.object(of: KeyedShelf.self)[0]
    var titles: [String] = []
    for try await (_, track) in try fetched.tracks.createAsyncStream() {
      titles.append(track.title)
      if titles.count > 1_100 { break }
    }
    #expect(titles.count == 1_100)
    #expect(Set(titles).count == 1_100)
  }

  @Test func aMemberWithoutARowIsAnErrorWhenItsPageIsRead() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(
      Album("A", by: Artist("Ada"), tracks: (0..<520).map { Track("\($0)", seconds: $0) }))
    let raw = try scratch.raw()
    try raw.execute("PRAGMA foreign_keys = OFF; DELETE FROM Track WHERE seconds = 515")
    raw.close()
    let album = try await magic.object(of: Album.self)[0]
    var count = 0
    do {
      for try await _ in try album.tracks.createAsyncStream() { count += 1 }
      Issue.record("The broken reference was ignored.")
    } catch let error as MagicError {
      #expect(error.code == .brokenReference)
    }
    #expect(count == 512)
  }
}
