import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Results of a lazy value, before and after its owner is saved.
@Suite(.everyEngine) struct GettingTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> MagicData {
    try await MagicData.open(scratch.file(), recorder)
  }

  private func saved(_ magic: MagicData) async throws -> Album {
    let album = Album("A", by: Artist("Ada"), tracks: [Track("1"), Track("2"), Track("1b")])
    album.producer = .init(value: Artist("Ben"))
    album.bonus.set([Track("b")])
    album.named.set(["x": Track("x"), "y": Track("y")])
    try await magic.update(album)
    return album
  }

  @Test func everyKindIsReadFromTheDatabase() async throws {
    let magic = try await open()
    _ = try await saved(magic)
    let album = try await magic.object(of: Album.self)[0]
    #expect(try await album.artist.get().name == "Ada")
    #expect(try await album.producer?.get().name == "Ben")
    #expect(try await album.tracks.get().titles == ["1", "2", "1b"])
    #expect(try await album.bonus.get().map(\.title) == ["b"])
    #expect(try await album.named.get().mapValues(\.title) == ["x": "x", "y": "y"])
  }

  @Test func fetchingOwnersReadsNothingElse() async throws {
    let magic = try await open()
    _ = try await saved(magic)
    _ = try await magic.object(of: Album.self)
    recorder.clear()
    _ = try await magic.object(of: Album.self)
    recorder.expectRan(1)
  }

  @Test func readingThePropertyAndDescribingTheOwnerReadNothing() async throws {
    let magic = try await open()
    _ = try await saved(magic)
    let album = try await magic.object(of: Album.self)[0]
    recorder.clear()
    _ = album.tracks
    _ = album.producer
    #expect(album.debugDescription.contains("tracks: lazy"))
    #expect(album.debugDescription.contains("artist: lazy"))
    #expect("\(album.tracks)" == "AsyncMagical<Array<Track>>")
    #expect(recorder.work.isEmpty)
  }

  @Test func eachGetReadsFromTheDatabase() async throws {
    let magic = try await open()
    _ = try await saved(magic)
    let (album, other) = (
      try await magic.object(of: Album.self)[0], try await magic.object(of: Album.self)[0]
    )
    other.tracks.set([Track("new")])
    other.artist.set(Artist("Eve"))
    try await magic.update(other)
    #expect(try await album.tracks.get().titles == ["new"])
    #expect(try await album.artist.get().name == "Eve")
  }

  @Test func theSavedOwnerReadsFromTheDatabase() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    for track in try await album.tracks.get() where track.title != "2" {
      try await magic.remove(track)
    }
    #expect(try await album.tracks.get().titles == ["2"])
    #expect(try await album.tracks.count == 1)
  }

  @Test func aMemberThatOccursTwiceIsOneInstance() async throws {
    let magic = try await open()
    let track = Track("t")
    try await magic.update(Album("A", by: Artist("Ada"), tracks: [track, Track("u"), track]))
    let tracks = try await magic.object(of: Album.self)[0].tracks.get()
    tracks[0].title = "changed"
    #expect(tracks.titles == ["changed", "u", "changed"])
  }

  @Test func theValueInMemoryIsReturnedUntilItIsSaved() async throws {
    let album = Album("A", by: Artist("Ada"), tracks: [Track("1")])
    #expect(try await album.tracks.get().titles == ["1"])
    #expect(try await album.tracks.count == 1)
    #expect(try await album.tracks.randomValue()?.title == "1")
    #expect(try await album.artist.get().name == "Ada")
    #expect(album.debugDescription.contains("tracks: 1 Track"))
  }

  @Test func aValueThatWasNeverSetIsMissing() async throws {
    let album = Album()
    album.title = "A"
    await expect(.missingValue) { _ = try await album.artist.get() }
    do {
      _ = try await album.artist.get()
    } catch let error as MagicError {
      #expect(error.type == "Album")
      #expect(error.property == "artist")
    }
    let magic = try await open()
    await expect(.missingValue) { try await magic.update(album) }
    #expect(try await magic.object(of: Album.self).isEmpty)
    #expect(album.zIndex == nil)
  }

  @Test func anOptionalOneIsNilUntilItIsSet() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada")))
    let album = try await magic.object(of: Album.self)[0]
    #expect(album.producer == nil)
    album.producer = .init(value: Artist("Ben"))
    try await magic.update(album)
    let again = try await magic.object(of: Album.self)[0]
    #expect(try await again.producer?.get().name == "Ben")
    again.producer = nil
    try await magic.update(again)
    #expect(again.producer == nil)
    #expect(try await magic.object(of: Album.self)[0].producer == nil)
  }

  @Test func aDeletedOwnerIsNotFound() async throws {
    let magic = try await open()
    _ = try await saved(magic)
    let (album, other) = (
      try await magic.object(of: Album.self)[0], try await magic.object(of: Album.self)[0]
    )
    try await magic.remove(other)
    for owner in [album, other] {
      await expect(.notFound) { _ = try await owner.tracks.get() }
      await expect(.notFound) { _ = try await owner.artist.get() }
      #expect(try await owner.tracks.count == 0)
      #expect(try await owner.tracks.randomValue() == nil)
      #expect(try await owner.named.randomValue() == nil)
      for try await _ in try owner.bonus.createAsyncStream() { Issue.record("a member") }
    }
  }

  @Test func anEmptyCollectionOfAnExistingOwnerIsEmpty() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada")))
    let album = try await magic.object(of: Album.self)[0]
    #expect(try await album.tracks.get().isEmpty)
    #expect(try await album.bonus.get().isEmpty)
    #expect(try await album.named.get().isEmpty)
  }

  @Test func aDeletedTargetIsNotFound() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    let producer = try #require(album.producer)
    try await magic.remove(producer.get())
    await expect(.notFound) { _ = try await producer.get() }
    #expect(try await album.artist.get().name == "Ada")
  }

  @Test func aRequiredTargetCannotBeRemoved() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    let artist = try await album.artist.get()
    await expect(.stillReferenced) { try await magic.remove(artist) }
  }

  @Test func getOfAClosedDatabaseThrows() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    await magic.close()
    await expect(.closed) { _ = try await album.tracks.get() }
    await expect(.closed) { _ = try await album.tracks.count }
    await expect(.closed) {
      for try await _ in try album.tracks.createAsyncStream() { Issue.record("a member") }
    }
  }

  @Test(.requires(.reopening)) func getWorksAfterTheDatabaseIsOpenedAgain() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    await magic.close()
    let again = try await open()
    #expect(try await album.tracks.count == 3)
    await again.close()
  }

  @Test func aCancelledTaskGetsNothing() async throws {
    let magic = try await open()
    let album = try await saved(magic)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await album.tracks.get()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
