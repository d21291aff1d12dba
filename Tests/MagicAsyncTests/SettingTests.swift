import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Set values: which copies have them, and what a save writes.
@Suite(.everyEngine) struct SettingTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open(_ name: String = "test.sqlite3") async throws -> MagicData {
    try await MagicData.open(scratch.file(name), recorder)
  }

  private func fetched(_ magic: MagicData) async throws -> Album {
    try await magic.update(
      Album("A", by: Artist("Ada"), tracks: [Track("1"), Track("2"), Track("3")]))
    return try await magic.object(of: Album.self)[0]
  }

  @Test func allCopiesHaveASetValue() async throws {
    let magic = try await open()
    for album in [try await fetched(magic), Album("B", by: Artist("Ben"))] {
      let (copy, value) = (album, album.tracks)
      album.tracks.set([Track("new")])
      #expect(try await copy.tracks.get().titles == ["new"])
      #expect(try await value.get().titles == ["new"])
      value.set([Track("newer")])
      #expect(try await copy.tracks.get().titles == ["newer"])
    }
  }

  @Test func aValueIsSetThroughAnAssignedLazyValue() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let value = AsyncMagical(value: [Track("one")])
    album.tracks = value
    value.set([Track("two")])
    #expect(try await album.tracks.get().titles == ["two"])
    try await magic.update(album)
    #expect(try await value.get().titles == ["two"])
    value.set([Track("three")])
    #expect(try await album.tracks.get().titles == ["three"])
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["three"])
  }

  @Test func twoOwnersOfOneValueBothSaveIt() async throws {
    let magic = try await open()
    let value = AsyncMagical(value: [Track("shared")])
    let (first, second) = (Album("A", by: Artist("Ada")), Album("B", by: Artist("Ben")))
    (first.tracks, second.tracks) = (value, value)
    try await magic.update(first)
    try await magic.update(second)
    #expect(try await first.tracks.get().titles == ["shared"])
    #expect(try await second.tracks.get().titles == ["shared"])
    second.tracks.set([])
    try await magic.update(second)
    #expect(try await first.tracks.get().titles == ["shared"])
  }

  @Test func assigningAPropertyToItselfChangesNothing() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.tracks = album.tracks
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
    album.tracks.set([Track("new")])
    album.tracks = album.tracks
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["new"])
  }

  @Test func onlyDifferencesAreWritten() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let tracks = try await album.tracks.get()
    album.tracks.set(tracks + [Track("4")])
    recorder.clear()
    try await magic.update(album)
    recorder.expectWrote(2)
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
    #expect(try await album.tracks.get().titles == ["1", "2", "3", "4"])
  }

  @Test func nothingIsWrittenForAValueThatIsNotInMemory() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.title = "other"
    recorder.clear()
    try await magic.update(album)
    recorder.expectWrote(1)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().count == 3)
  }

  @Test func aFetchedValueIsSavedItself() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let track = try await album.tracks.get()[0]
    track.title = "changed"
    try await magic.update(album)
    #expect(try await album.tracks.get().titles == ["1", "2", "3"])
    try await magic.update(track)
    #expect(try await album.tracks.get().titles == ["changed", "2", "3"])
  }

  @Test func aToOneIsReplaced() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.artist.set(Artist("Ben"))
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].artist.get().name == "Ben")
    #expect(try await magic.object(of: Artist.self).count == 2)
  }

  @Test func aFailedSaveKeepsTheValueMarkedAsChanged() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.tracks.set([Track("new")])
    album.artist.set(Artist("Ben"))
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(album)
        throw Stop()
      }
    }
    #expect(try await album.tracks.get().titles == ["new"])
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["1", "2", "3"])
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["new"])
    #expect(try await magic.object(of: Album.self)[0].artist.get().name == "Ben")
  }

  @Test func aNewOwnerWhoseSaveFailsKeepsItsValues() async throws {
    let magic = try await open()
    let album = Album("A", by: Artist("Ada"), tracks: [Track("1")])
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(album)
        throw Stop()
      }
    }
    #expect(try await album.tracks.get().titles == ["1"])
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["1"])
  }

  @Test func aValueThatIsSetDuringASaveOfItsOwnerIsKept() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.tracks.set([Track("first")])
    try await magic.transaction { transaction in
      try transaction.update(album)
      album.tracks.set([Track("second")])
    }
    #expect(try await album.tracks.get().titles == ["second"])
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["first"])
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["second"])
  }

  @Test func aTransactionReadsItsOwnWrites() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let tracks = try await album.tracks.get()
    try await magic.transaction { transaction in
      album.tracks.set(tracks + [Track("4")])
      #expect(try album.tracks.get(in: transaction).count == 4)
      try transaction.update(album)
      try transaction.remove(tracks[0])
      #expect(try album.tracks.get(in: transaction).titles == ["2", "3", "4"])
      #expect(try album.tracks.count(in: transaction) == 3)
      #expect(try album.artist.get(in: transaction).name == "Ada")
      // Saving it again restores no removed member.
      try transaction.update(album)
    }
    #expect(try await album.tracks.get().titles == ["2", "3", "4"])
  }

  @Test func aSnapshotReadsTheStateAtItsStart() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let count = try await magic.read { try album.tracks.get(in: $0).count }
    #expect(count == 3)
  }

  @Test func anOwnerOfAnotherDatabaseIsNotSavedInAReader() async throws {
    let (magic, other) = (try await open(), try await open("other.sqlite3"))
    let album = try await fetched(magic)
    await expect(.notSaved) { try await other.read { _ = try album.tracks.get(in: $0) } }
  }

  @Test func anotherDatabaseNeedsTheValueInMemory() async throws {
    let (magic, other) = (try await open(), try await open("other.sqlite3"))
    let album = try await fetched(magic)
    await expect(.missingValue) { try await other.update(album) }
    #expect(try await other.object(of: Album.self).isEmpty)
    album.artist.set(try await album.artist.get())
    await expect(.missingValue) { try await other.update(album) }
    album.tracks.set(try await album.tracks.get())
    album.bonus.set([])
    album.named.set([:])
    try await other.update(album)
    #expect(try await album.tracks.get().titles == ["1", "2", "3"])
    #expect(try await other.object(of: Album.self)[0].tracks.get().count == 3)
  }

  @Test func anOwnerThatWasRemovedNeedsItsCollectionsInMemory() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    try await magic.remove(album)
    await expect(.missingValue) { try await magic.update(album) }
    #expect(try await magic.object(of: Album.self).isEmpty)
    album.tracks.set([])
    album.bonus.set([])
    album.named.set([:])
    try await magic.update(album)
    // Its to-one is kept, because it is found by the row that it referred to.
    #expect(try await magic.object(of: Album.self)[0].artist.get().name == "Ada")
    #expect(try await album.artist.get().name == "Ada")
  }

  @Test func theToOneOfAnotherOwnerCanBeAssigned() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let other = Album()
    other.title = "B"
    other.artist = album.artist
    #expect(try await other.artist.get().name == "Ada")
    try await magic.update(other)
    #expect(try await other.artist.get().name == "Ada")
    #expect(try await magic.object(of: Artist.self).count == 1)
  }

  @Test func theCollectionOfAnotherOwnerIsNotInMemory() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let other = Album("B", by: Artist("Ben"))
    other.tracks = album.tracks
    #expect(try await other.tracks.get().count == 3)
    await expect(.missingValue) { try await magic.update(other) }
    other.tracks.set(try await other.tracks.get())
    try await magic.update(other)
    #expect(try await other.tracks.count == 3)
    #expect(try await album.tracks.count == 3)
  }

  @Test func aSetNilReplacesValuesThatOthersHaveSet() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let other = try await magic.object(of: Album.self)[0]
    other.producer = .init(value: Artist("Ben"))
    try await magic.update(other)
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].producer != nil)
    album.producer = nil
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].producer == nil)
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
  }

  @Test func aValueThatWasSetToNilCanBeSetAgain() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    album.producer = .init(value: Artist("Ben"))
    try await magic.update(album)
    let producer = try #require(album.producer)
    album.producer = nil
    album.producer = producer
    #expect(try await album.producer?.get().name == "Ben")
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].producer?.get().name == "Ben")
  }

  @Test func aRemovedTargetClearsAnOptionalOne() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    let ben = Artist("Ben")
    try await magic.update(ben)
    try await magic.remove(ben)
    album.producer = .init(value: ben)
    try await magic.update(album)
    #expect(album.producer == nil)
    #expect(try await magic.object(of: Album.self)[0].producer == nil)
  }

  @Test(.timeLimit(.minutes(5))) func tasksSetAndGetAtOnce() async throws {
    let magic = try await open()
    let album = try await fetched(magic)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<25 {
            if task.isMultiple(of: 2) {
              album.tracks.set([Track("\(task).\(round)")])
              try await magic.update(album)
            } else {
              _ = try await album.tracks.get()
              _ = try await album.tracks.count
              _ = try await album.artist.get()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(album)
    let stored = try await magic.object(of: Album.self)[0].tracks.get().titles
    #expect(try await album.tracks.get().titles == stored)
    #expect(stored.count == 1)
  }
}
