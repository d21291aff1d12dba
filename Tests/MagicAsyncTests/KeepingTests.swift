import EngineConformance
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// A lazy value keeps its store open, until the store is closed explicitly.
@Suite(.everyEngine) struct KeepingTests {
  let scratch = Scratch()

  /// The object of a database whose only handle has been released.
  private func abandoned() async throws -> Album {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Album("A", by: Artist("Ada"), tracks: [Track("1"), Track("2")]))
    return try await magic.object(of: Album.self)[0]
  }

  @Test func valuesWorkAfterEveryHandleWasReleased() async throws {
    let album = try await abandoned()
    #expect(try await album.tracks.get().titles == ["1", "2"])
    #expect(try await album.artist.get().name == "Ada")
    var titles: [String] = []
    for try await track in try album.tracks.createAsyncStream() { titles.append(track.title) }
    #expect(titles == ["1", "2"])
  }

  @Test(.requires(.files)) func aValueOfASavedObjectKeepsTheStoreOpenToo() async throws {
    let album = Album("A", by: Artist("Ada"), tracks: [Track("1")])
    try await MagicData.onTestedEngine(path: scratch.file()).update(album)
    #expect(try await album.tracks.get().titles == ["1"])
    #expect(!openFiles(under: scratch.path).isEmpty)
  }

  @Test(.requires(.files)) func theFileIsClosedWithTheLastValue() async throws {
    var album: Album? = try await abandoned()
    #expect(!openFiles(under: scratch.path).isEmpty)
    var tracks = album?.tracks
    album = nil
    #expect(try await tracks?.count == 2)
    #expect(!openFiles(under: scratch.path).isEmpty)
    tracks = nil
    #expect(openFiles(under: scratch.path).isEmpty)
  }

  @Test func aTypeWithoutLazyPropertiesKeepsNoStoreOpen() async throws {
    let artist = Artist("Ada")
    try await MagicData.onTestedEngine(path: scratch.file()).update(artist)
    #expect(openFiles(under: scratch.path).isEmpty)
  }

  @Test(.requires(.rawSQL)) func theDirectoryOfATemporaryStoreIsRemovedWithTheLastValue()
    async throws
  {
    func make(_ path: inout String) async throws -> Album {
      let magic = try await MagicData.onTestedEngine(type: .temporary)
      try await magic.update(Album("A", by: Artist("Ada"), tracks: [Track("1")]))
      let file = try await magic.sql("SELECT file FROM pragma_database_list").value(String.self)
      path = try #require(file)
      return try await magic.object(of: Album.self)[0]
    }
    var path = ""
    var album: Album? = try await make(&path)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try await album?.tracks.count == 1)
    album = nil
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func aStoreInMemoryIsKeptOpen() async throws {
    func make() async throws -> Album {
      let magic = try await MagicData.onTestedEngine(type: .memory)
      try await magic.update(Album("A", by: Artist("Ada"), tracks: [Track("1")]))
      return try await magic.object(of: Album.self)[0]
    }
    let album = try await make()
    #expect(try await album.tracks.get().titles == ["1"])
  }

  @Test func closingTheLastHandleClosesTheStore() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Album("A", by: Artist("Ada"), tracks: [Track("1")]))
    let album = try await magic.object(of: Album.self)[0]
    await magic.close()
    #expect(openFiles(under: scratch.path).isEmpty)
    await expect(.closed) { _ = try await album.tracks.get() }
  }

  @Test(.requires(.sharedHandles)) func anotherHandleKeepsItOpenAfterAClose() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let other = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Album("A", by: Artist("Ada"), tracks: [Track("1")]))
    let album = try await magic.object(of: Album.self)[0]
    await magic.close()
    #expect(try await album.tracks.count == 1)
    await other.close()
    await expect(.closed) { _ = try await album.tracks.get() }
  }

  @Test(.requires(.files)) func openingAgainSharesTheOpenStore() async throws {
    let album = try await abandoned()
    let files = openFiles(under: scratch.path).count
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(openFiles(under: scratch.path).count == files)
    album.tracks.set([])
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.count == 0)
    await magic.close()
    #expect(openFiles(under: scratch.path).isEmpty)
    await expect(.closed) { _ = try await album.tracks.get() }
  }

  @Test(.requires(.sharedHandles)) func aStoreOfBlockingCallsIsKeptOpenToo() throws {
    func make() throws -> Album {
      let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
      try store.update(Album("A", by: Artist("Ada"), tracks: [Track("1")]))
      return try store.object(of: Album.self)[0]
    }
    let album = try make()
    let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
    #expect(try album.tracks.get(in: store).titles == ["1"])
    #expect(try album.artist.get(in: store).name == "Ada")
    #expect(try album.tracks.count(in: store) == 1)
    store.close()
    #expect(throws: MagicError.self) { try album.tracks.get(in: store) }
  }

  @Test func aStreamKeepsTheStoreOpen() async throws {
    func make() async throws -> MagicMemberStream<Track> {
      try await abandoned().tracks.createAsyncStream()
    }
    var count = 0
    for try await _ in try await make() { count += 1 }
    #expect(count == 2)
  }

  @Test(.requires(.files), .timeLimit(.minutes(5))) func manyTasksOpenAndReleaseStores()
    async throws
  {
    _ = try await abandoned()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for round in 0..<20 {
            let magic = try await MagicData.onTestedEngine(path: scratch.file())
            let album = try await magic.object(of: Album.self)[0]
            if round.isMultiple(of: 3) { await magic.close() } else { _ = consume magic }
            do {
              #expect(try await album.tracks.count == 2)
            } catch let error as MagicError {
              #expect(error.code == .closed)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(openFiles(under: scratch.path).isEmpty)
  }
}
