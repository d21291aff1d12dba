import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Edits of lazy collections that do not load the members.
@Suite(.everyEngine) struct EditingTests {
  struct Crate: MagicObject {
    @MagicValue var tracks: AsyncMagical<[Track]> = .init(value: [])
    @MagicVersion var version: Int
    init() {}
  }

  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func album(_ count: Int) async throws -> (MagicData, Album) {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let tracks = (0..<count).map { Track("\($0)", seconds: $0) }
    let album = Album("A", by: Artist("Ada"), tracks: tracks)
    album.bonus.set(MagicalSet(tracks))
    try await magic.update(album)
    return (magic, try await magic.object(of: Album.self)[0])
  }

  private func stored(_ magic: MagicData) async throws -> (tracks: [String], bonus: [String]) {
    let album = try await magic.object(of: Album.self)[0]
    return (
      try await album.tracks.get().titles, try await album.bonus.get().map(\.title).sorted()
    )
  }

  @Test func editsAreReadBeforeTheSaveAndStoredByIt() async throws {
    let (magic, album) = try await album(3)
    let tracks = try await album.tracks.get()
    let new = Track("new")
    album.tracks.append(new)
    album.tracks.append(contentsOf: [tracks[0]])
    album.tracks.remove(tracks[1])
    album.bonus.insert(new)
    album.bonus.insert(contentsOf: tracks)
    album.bonus.remove(tracks[2])
    #expect(album.hasChanges)
    #expect(try await album.tracks.get().titles == ["0", "2", "new", "0"])
    #expect(try await album.bonus.get().map(\.title).sorted() == ["0", "1", "new"])
    #expect(try await album.tracks.count == 4)
    #expect(try await album.bonus.count == 3)
    #expect(try await album.tracks.randomValue(in: 2..<3)?.title == "new")
    var streamed: [String] = []
    for try await track in try album.tracks.createAsyncStream() { streamed.append(track.title) }
    #expect(streamed == ["0", "2", "new", "0"])
    #expect(try await stored(magic).tracks == ["0", "1", "2"])
    try await magic.update(album)
    #expect(!album.hasChanges)
    #expect(try await album.tracks.get().titles == ["0", "2", "new", "0"])
    #expect(try await stored(magic) == (["0", "2", "new", "0"], ["0", "1", "new"]))
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
    await magic.close()
  }

  @Test func aSavedEditIncrementsTheVersionOnce() async throws {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let crate = Crate()
    try await magic.update(crate)
    #expect(crate.version == 1)
    crate.tracks.append(Track("a"))
    try await magic.transaction { transaction in
      try transaction.update(crate)
      try transaction.update(crate)
    }
    #expect(crate.version == 2)
    crate.tracks.set([])
    try await magic.transaction { transaction in
      try transaction.update(crate)
      try transaction.update(crate)
      crate.tracks.append(Track("b"))
      try transaction.update(crate)
    }
    #expect(crate.version == 4)
    #expect(try await crate.tracks.get().titles == ["b"])
    await magic.close()
  }

  @Test func theStatementsOfAnEditDoNotDependOnTheSize() async throws {
    var counts: [Int] = []
    for count in [3, 700] {
      let magic = try await MagicData.open(scratch.file("\(count).sqlite3"), recorder)
      let tracks = (0..<count).map { Track("\($0)") }
      try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
      let album = try await magic.object(of: Album.self)[0]
      let extra = Track("extra")
      try await magic.update(extra)
      recorder.clear()
      album.tracks.append(extra)
      album.bonus.insert(extra)
      try await magic.update(album)
      counts.append(recorder.work.count)
      #expect(try await album.tracks.count == count + 1)
      await magic.close()
    }
    #expect(counts[0] == counts[1])
  }

  @Test(.requires(.queries)) func readsWithEditsLoadOnlyWhatTheyReturn() async throws {
    let (magic, _) = try await album(1300)
    let other = try await magic.query(Track.self).where(\.$title == "3").all()[0]
    let album = try await magic.object(of: Album.self)[0]
    let new = Track("new")
    album.tracks.append(contentsOf: [new, other])
    album.tracks.remove(try await magic.query(Track.self).where(\.$title == "7").all()[0])
    var expected = (0..<1300).map(String.init)
    expected.remove(at: 7)
    expected += ["new", "3"]
    recorder.clear()
    #expect(try await album.tracks.count == 1301)
    #expect(try await album.tracks.randomValue(in: 1299..<1300)?.title == "new")
    #expect(try await album.tracks.randomValue(in: 7..<8)?.title == "8")
    #expect(recorder.work.filter { $0.contains("magic_Track") && $0.contains("title") }.count <= 1)
    #expect(try await album.tracks.get().titles == expected)
    var streamed: [String] = []
    for try await track in try album.tracks.createAsyncStream() { streamed.append(track.title) }
    #expect(streamed == expected)
    // An inserted object is the same instance.
    let random = try #require(try await album.tracks.randomValue(in: 1299..<1300))
    random.title = "renamed"
    #expect(new.title == "renamed")
    await magic.close()
  }

  @Test(.requires(.queries)) func aMemberThatIsDeletedDuringAStreamIsSkipped() async throws {
    let (magic, album) = try await album(1100)
    album.tracks.append(Track("new"))
    let last = try await magic.query(Track.self).where(\.$title == "1099").all()[0]
    var streamed: [String] = []
    for try await track in try album.tracks.createAsyncStream() {
      if streamed.isEmpty { try await magic.remove(last) }
      streamed.append(track.title)
    }
    #expect(streamed == (0..<1099).map(String.init) + ["new"])
    await magic.close()
  }

  @Test func aTransactionSeesItsOwnMembers() async throws {
    let (magic, album) = try await album(2)
    let tracks = try await album.tracks.get()
    let (new, pending) = (Track("new"), Track("pending"))
    try await magic.transaction { transaction in
      album.tracks.append(new)
      album.bonus.insert(new)
      album.tracks.remove(tracks[0])
      #expect(try album.tracks.contains(new, in: transaction))
      #expect(try !album.tracks.contains(tracks[0], in: transaction))
      try transaction.update(album)
      album.tracks.append(pending)
      album.tracks.remove(new)
      #expect(try !album.tracks.contains(new, in: transaction))
      #expect(try album.tracks.contains(pending, in: transaction))
      #expect(try album.bonus.contains(new, in: transaction))
      #expect(try album.tracks.get(in: transaction).titles == ["1", "pending"])
      #expect(try album.tracks.count(in: transaction) == 2)
    }
    let other = try await MagicData.onTestedEngine(path: scratch.file("other.sqlite3"))
    await expect(.notSaved) {
      try await other.transaction { _ = try album.tracks.contains(new, in: $0) }
    }
    await other.close()
    await magic.close()
  }

  @Test func membersThatOthersAddedAreKept() async throws {
    let (magic, album) = try await album(2)
    let other = try await magic.object(of: Album.self)[0]
    album.tracks.append(Track("mine"))
    album.bonus.insert(Track("mine"))
    other.tracks.append(Track("theirs"))
    other.bonus.insert(Track("theirs"))
    try await magic.update(other)
    try await magic.update(album)
    #expect(
      try await stored(magic)
        == (["0", "1", "theirs", "mine"], ["0", "1", "mine", "theirs"]))
    await magic.close()
  }

  @Test func allCopiesShareEditsAndRevertDiscardsThem() async throws {
    let (magic, album) = try await album(1)
    let (copy, value) = (album, album.tracks)
    value.append(Track("a"))
    copy.tracks.append(Track("b"))
    #expect(try await album.tracks.get().titles == ["0", "a", "b"])
    #expect(try await value.get().titles == ["0", "a", "b"])
    album.revert()
    #expect(!album.hasChanges)
    #expect(try await value.get().titles == ["0"])
    value.append(Track("c"))
    album.tracks.set([Track("set")])
    value.append(Track("d"))
    try await magic.update(album)
    #expect(try await stored(magic).tracks == ["set", "d"])
    await magic.close()
  }

  @Test func aRollbackKeepsEditsAndEachEditIsSavedOnce() async throws {
    struct Failure: Error {}
    let (magic, album) = try await album(1)
    album.tracks.append(Track("a"))
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.update(album)
        album.tracks.append(Track("b"))
        try transaction.update(album)
        throw Failure()
      }
    }
    #expect(album.hasChanges)
    #expect(try await stored(magic).tracks == ["0"])
    #expect(try await album.tracks.get().titles == ["0", "a", "b"])
    try await magic.transaction { transaction in
      try transaction.update(album)
      #expect(try album.tracks.get(in: transaction).titles == ["0", "a", "b"])
      album.tracks.append(Track("c"))
      #expect(try album.tracks.get(in: transaction).titles == ["0", "a", "b", "c"])
      #expect(try album.tracks.count(in: transaction) == 4)
      try transaction.update(album)
      album.tracks.append(Track("d"))
    }
    #expect(try await stored(magic).tracks == ["0", "a", "b", "c"])
    #expect(try await album.tracks.get().titles == ["0", "a", "b", "c", "d"])
    try await magic.update(album)
    #expect(try await stored(magic).tracks == ["0", "a", "b", "c", "d"])
    #expect(!album.hasChanges)
    await magic.close()
  }

  @Test func anInsertedObjectThatIsRemovedAgainIsNotSaved() async throws {
    let (magic, album) = try await album(1)
    let track = Track("new")
    album.tracks.append(track)
    album.tracks.remove(track)
    try await magic.update(album)
    #expect(!track.isSaved)
    #expect(try await stored(magic).tracks == ["0"])
    await magic.close()
  }

  @Test func aDeletedMemberIsNotInsertedAgain() async throws {
    let (magic, album) = try await album(2)
    let track = try await album.tracks.get()[0]
    let same = try await album.tracks.get()[0]
    album.tracks.append(track)
    album.bonus.insert(track)
    try await magic.remove(same)
    try await magic.update(album)
    #expect(try await stored(magic) == (["1"], ["1"]))
    await magic.close()
  }

  @Test func collectionsInMemoryAreEdited() async throws {
    let album = Album("A", by: Artist("Ada"))
    let track = Track("a")
    album.tracks.append(contentsOf: [track, Track("b"), track])
    album.tracks.remove(track)
    album.bonus.insert(track)
    #expect(try await album.tracks.get().titles == ["b"])
    #expect(try await album.bonus.contains(track))
    #expect(try await !album.tracks.contains(track))
    let value = AsyncMagical(value: [track])
    value.append(Track("c"))
    #expect(try await value.get().titles == ["a", "c"])
  }

  @Test func containsIsOneStatement() async throws {
    let (magic, album) = try await album(5)
    let tracks = try await album.tracks.get()
    album.tracks.remove(tracks[4])
    album.bonus.remove(tracks[4])
    try await magic.update(album)
    _ = try await album.tracks.contains(tracks[0])
    recorder.clear()
    #expect(try await album.tracks.contains(tracks[1]))
    recorder.expectRan(1)
    #expect(try await album.bonus.contains(tracks[1]))
    #expect(try await !album.tracks.contains(tracks[4]))
    #expect(try await !album.bonus.contains(tracks[4]))
    let new = Track("new")
    #expect(try await !album.tracks.contains(new))
    album.tracks.append(new)
    album.tracks.remove(tracks[1])
    #expect(try await album.tracks.contains(new))
    #expect(try await album.tracks.contains(tracks[0]))
    #expect(try await !album.tracks.contains(tracks[1]))
    await magic.close()
  }

  @Test func editsOfAnotherOwnerOrOfARemovedOneAreNotSaved() async throws {
    let (magic, album) = try await album(1)
    album.tracks.append(Track("a"))
    let other = Album("B", by: Artist("Ben"))
    other.tracks = album.tracks
    #expect(try await other.tracks.get().titles == ["0", "a"])
    await expect(.missingValue) { try await magic.update(other) }
    try await magic.update(album)
    #expect(try await stored(magic).tracks == ["0", "a"])
    try await magic.remove(album)
    album.tracks.append(Track("b"))
    await expect(.missingValue) { try await magic.update(album) }
    await magic.close()
  }

  @Test func concurrentEditsAreAllStored() async throws {
    let (magic, album) = try await album(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<10 {
            album.tracks.append(Track("\(task) \(index)"))
            try await magic.update(album)
          }
        }
      }
      try await group.waitForAll()
    }
    let titles = try await stored(magic).tracks
    #expect(titles.count == 40)
    #expect(Set(titles).count == 40)
    await magic.close()
  }
}
