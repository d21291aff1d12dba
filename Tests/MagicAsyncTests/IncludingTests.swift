import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Lazy relationships that a query loads with its objects.
@Suite(.everyEngine) struct IncludingTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  /// Opens a database with two albums, of which the second has no members.
  private func open() async throws -> MagicData {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let (ada, ben) = (Artist("Ada"), Artist("Ben"))
    let (one, two) = (Track("one"), Track("two"))
    let first = Album("first", by: ada, tracks: [one, two, one])
    first.producer = .init(value: ben)
    first.bonus.set([two])
    first.named.set(["x": one, "y": two])
    try await magic.update(contentsOf: [first, Album("second", by: ada)])
    return magic
  }

  private func everything(_ magic: MagicData) -> MagicQuery<Album, MagicData> {
    magic.query(Album.self).order(by: \.$title).including(\.$artist).including(\.$producer)
      .including(\.$tracks).including(\.$bonus).including(\.$named)
  }

  @Test(.requires(.queries)) func includedRelationshipsAreReadFromMemory() async throws {
    let magic = try await open()
    let albums = try await everything(magic).all()
    recorder.clear()
    #expect(try await albums[0].artist.get().name == "Ada")
    #expect(try await albums[0].producer?.get().name == "Ben")
    #expect(try await albums[0].tracks.get().titles == ["one", "two", "one"])
    #expect(try await albums[0].tracks.count == 3)
    #expect(try await albums[0].bonus.get().map(\.title) == ["two"])
    #expect(try await albums[0].bonus.randomValue()?.title == "two")
    #expect(try await albums[0].named.get().mapValues(\.title) == ["x": "one", "y": "two"])
    var streamed: [String] = []
    for try await track in try albums[0].tracks.createAsyncStream() { streamed.append(track.title) }
    #expect(streamed == ["one", "two", "one"])
    #expect(try await albums[1].artist.get().name == "Ada")
    #expect(albums[1].producer == nil)
    #expect(try await albums[1].tracks.get().isEmpty)
    #expect(try await albums[1].named.get().isEmpty)
    #expect(recorder.work.isEmpty)
  }

  @Test(.requires(.queries)) func aRowIsOneInstanceInARelationship() async throws {
    let albums = try await everything(try await open()).all()
    let artist = try await albums[0].artist.get()
    artist.age = 40
    #expect(try await albums[1].artist.get().age == 40)
    let tracks = try await albums[0].tracks.get()
    tracks[0].seconds = 3
    #expect(tracks[2].seconds == 3)
  }

  @Test(.requires(.queries)) func theNumberOfStatementsDoesNotDependOnTheNumberOfObjects()
    async throws
  {
    let magic = try await open()
    _ = try await everything(magic).all()
    recorder.clear()
    _ = try await everything(magic).all()
    let few = recorder.work.count
    let artist = try await magic.object(of: Artist.self, primary: "Ada")
    try await magic.update(
      contentsOf: (0..<50).map { Album("more \($0)", by: artist, tracks: [Track("\($0)")]) })
    recorder.clear()
    let albums = try await everything(magic).all()
    #expect(recorder.work.count == few)
    #expect(try await albums[5].tracks.get().count == 1)
  }

  @Test(.requires(.queries)) func firstAndStreamsInclude() async throws {
    let magic = try await open()
    let first = try #require(try await everything(magic).first())
    var streamed: [Album] = []
    for try await album in everything(magic).stream() { streamed.append(album) }
    recorder.clear()
    #expect(try await first.tracks.get().titles == ["one", "two", "one"])
    #expect(try await streamed[0].tracks.get().titles == ["one", "two", "one"])
    #expect(recorder.work.isEmpty)
  }

  @Test(.requires(.queries)) func aSavedValueReplacesTheIncludedOne() async throws {
    let magic = try await open()
    let album = try #require(try await everything(magic).first())
    album.tracks.set([Track("new")])
    #expect(try await album.tracks.get().titles == ["new"])
    try await magic.update(album)
    #expect(try await album.tracks.get().titles == ["new"])
    #expect(try await album.tracks.count == 1)
    album.producer = nil
    try await magic.update(album)
    #expect(album.producer == nil)
    album.artist.set(Artist("Eve"))
    try await magic.update(album)
    #expect(try await album.artist.get().name == "Eve")
  }

  @Test(.requires(.queries)) func aRevertedObjectHasTheIncludedValueAgain() async throws {
    let album = try #require(try await everything(try await open()).first())
    album.tracks.set([])
    album.revert()
    #expect(try await album.tracks.get().titles == ["one", "two", "one"])
  }

  @Test(.requires(.queries)) func savingAnUnchangedObjectWritesNothing() async throws {
    let magic = try await open()
    let album = try #require(try await everything(magic).first())
    #expect(!album.hasChanges)
    try await magic.update(album)
    let again = try #require(try await magic.query(Album.self).order(by: \.$title).first())
    #expect(try await again.tracks.get().titles == ["one", "two", "one"])
    #expect(try await again.named.get().count == 2)
  }

  @Test(.requires(.queries)) func aRefreshedObjectReadsFromTheDatabase() async throws {
    let magic = try await open()
    let album = try #require(try await everything(magic).first())
    let other = try #require(try await magic.query(Album.self).order(by: \.$title).first())
    other.tracks.set([Track("new")])
    try await magic.update(other)
    #expect(try await album.tracks.get().titles == ["one", "two", "one"])
    try await magic.refresh(album)
    #expect(try await album.tracks.get().titles == ["new"])
  }

  @Test(.requires(.queries)) func aTransactionReadsFromTheDatabase() async throws {
    let magic = try await open()
    let album = try #require(try await everything(magic).first())
    let other = try #require(try await magic.query(Album.self).order(by: \.$title).first())
    other.tracks.set([Track("new")])
    try await magic.update(other)
    let titles = try await magic.transaction { transaction throws in
      try album.tracks.get(in: transaction).titles
    }
    #expect(titles == ["new"])
  }

  @Test func aPathThroughAnotherRelationshipIsRefused() async throws {
    let magic = try await open()
    struct Shelf: MagicObject {
      @OptionMagicValue var album: Album?
      init() {}
    }
    await expect(.invalidQuery) {
      _ = try await magic.query(Shelf.self).including(\.$album.$artist).all()
    }
  }

  @Test func aCancelledQueryThrows() async throws {
    let magic = try await open()
    let query = everything(magic)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await query.all().count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.requires(.queries)) func aLiveQueryFollowsIncludedMembers() async throws {
    let magic = try await open()
    let query = everything(magic)
    var results = query.values().makeAsyncIterator()
    var albums = try #require(try await results.next())
    #expect(try await albums[0].tracks.get().titles == ["one", "two", "one"])
    let track = try await albums[0].tracks.get()[0]
    track.title = "changed"
    try await magic.update(track)
    albums = try #require(try await results.next())
    #expect(try await albums[0].tracks.get().titles == ["changed", "two", "changed"])
    albums[1].bonus.set([Track("bonus")])
    try await magic.update(albums[1])
    albums = try #require(try await results.next())
    #expect(try await albums[1].bonus.get().map(\.title) == ["bonus"])
  }
}
