import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Removal of all members of lazy collections, and of those for which a predicate is true.
@Suite(.everyEngine) struct RemovingAllTests {
  struct Line: MagicObject {
    @MagicValue var text: String
    init() {}
    init(_ text: String) { self.text = text }
  }

  struct Order: MagicObject {
    @MagicValue(.owned) var lines: AsyncMagical<[Line]> = .init(value: [])
    init() {}
  }

  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func album(_ count: Int) async throws -> (MagicData, Album) {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let tracks = (0..<count).map { Track("\($0)", seconds: $0) }
    let album = Album("A", by: Artist("Ada"), tracks: tracks + tracks.prefix(1))
    album.bonus.set(MagicalSet(tracks))
    album.named.set(Dictionary(uniqueKeysWithValues: tracks.map { ($0.title, $0) }))
    try await magic.update(album)
    return (magic, try await magic.object(of: Album.self)[0])
  }

  private func titles(
    _ album: Album
  ) async throws -> (tracks: [String], bonus: [String], named: [String]) {
    (
      try await album.tracks.get().titles, try await album.bonus.get().map(\.title).sorted(),
      try await album.named.get().keys.sorted()
    )
  }

  private func stored(
    _ magic: MagicData
  ) async throws -> (tracks: [String], bonus: [String], named: [String]) {
    try await titles(magic.object(of: Album.self)[0])
  }

  @Test(.requires(.queries)) func membersThatMatchAreRemoved() async throws {
    let (magic, album) = try await album(4)
    try album.tracks.removeAll { $0.$seconds <= 1 }
    try album.bonus.removeAll { $0.$seconds > 1 }
    try album.named.removeAll { $0.$title == "2" }
    #expect(album.hasChanges)
    let expected = (["2", "3"], ["0", "1"], ["0", "1", "3"])
    #expect(try await titles(album) == expected)
    #expect(try await album.tracks.count == 2)
    #expect(try await album.named.value(forKey: "2") == nil)
    #expect(try await album.named.value(forKey: "3")?.title == "3")
    let tracks = try await magic.query(Track.self).order(by: \.$seconds).all()
    #expect(try await !album.tracks.contains(tracks[0]))
    #expect(try await album.tracks.contains(tracks[3]))
    try await magic.update(album)
    #expect(!album.hasChanges)
    #expect(try await titles(album) == expected)
    #expect(try await stored(magic) == expected)
    #expect(try await magic.query(Track.self).count() == 4)
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
    await magic.close()
  }

  @Test(.requires(.queries)) func editsApplyInTheirOrder() async throws {
    let (magic, album) = try await album(3)
    let (short, long) = (Track("short", seconds: 1), Track("long", seconds: 100))
    try await magic.update(short, long)
    album.tracks.append(contentsOf: [short, long])
    try album.tracks.removeAll { $0.$seconds < 50 }
    album.tracks.append(short)
    album.named.updateValue(short, forKey: "short")
    album.named.updateValue(long, forKey: "long")
    try album.named.removeAll { $0.$seconds < 50 }
    album.named.updateValue(short, forKey: "last")
    #expect(try await album.tracks.get().titles == ["long", "short"])
    #expect(try await album.named.get().mapValues(\.title) == ["long": "long", "last": "short"])
    #expect(try await album.named.value(forKey: "short") == nil)
    #expect(try await album.named.value(forKey: "long")?.title == "long")
    #expect(try await album.tracks.contains(short))
    try await magic.update(album)
    #expect(try await stored(magic).tracks == ["long", "short"])
    #expect(try await album.named.get().mapValues(\.title) == ["long": "long", "last": "short"])
    await magic.close()
  }

  @Test(.requires(.queries)) func anUnsavedMemberIsEvaluatedByTheSave() async throws {
    let (magic, album) = try await album(1)
    let new = Track("new", seconds: 0)
    album.tracks.append(new)
    try album.tracks.removeAll { $0.$seconds == 0 }
    #expect(try await album.tracks.get().titles == ["new"])
    #expect(try await album.tracks.contains(new))
    try await magic.update(album)
    #expect(try await stored(magic).tracks == [])
    #expect(new.isSaved)
    await magic.close()
  }

  @Test(.requires(.queries)) func allMembersAreRemovedWithOneStatement() async throws {
    let (magic, album) = try await album(300)
    let other = try await magic.object(of: Album.self)[0]
    let dropped = Track("dropped")
    album.tracks.append(dropped)
    album.tracks.removeAll()
    album.tracks.append(Track("new"))
    album.bonus.removeAll()
    album.named.removeAll()
    #expect(try await titles(album) == (["new"], [], []))
    #expect(try await album.bonus.count == 0)
    #expect(try await album.named.value(forKey: "1") == nil)
    other.tracks.append(Track("theirs"))
    try await magic.update(other)
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.work.count < 16, "\(recorder.work)")
    #expect(!dropped.isSaved)
    #expect(try await stored(magic) == (["new"], [], []))
    #expect(try await magic.query(Track.self).count() == 302)
    await magic.close()
  }

  @Test(.requires(.queries)) func membersOfOwnedListsAreRemoved() async throws {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let order = Order()
    order.lines.append(contentsOf: ["a", "b", "c"].map { Line($0) })
    let other = Order()
    other.lines.append(Line("a"))
    try await magic.update(contentsOf: [order, other])
    try order.lines.removeAll { $0.$text == "a" }
    try await magic.update(order)
    #expect(try await order.lines.get().map(\.text) == ["b", "c"])
    order.lines.removeAll()
    order.lines.append(Line("d"))
    try await magic.update(order)
    #expect(try await order.lines.get().map(\.text) == ["d"])
    #expect(try await other.lines.count == 1)
    #expect(try await magic.query(Line.self).count() == 5)
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
  }

  @Test func aCollectionInMemoryHasNoPredicate() async throws {
    let (magic, saved) = try await album(2)
    let album = Album("B", by: Artist("Ben"), tracks: [Track("a")])
    await expect(.notSaved) { try album.tracks.removeAll { $0.$title == "a" } }
    await expect(.invalidQuery) {
      try saved.tracks.removeAll { track in
        (0..<70).reduce(track.$seconds) { sum, _ in sum + 1 } > 1
      }
    }
    saved.tracks.set([])
    await expect(.notSaved) { try saved.tracks.removeAll { $0.$title == "a" } }
    #expect(try await album.tracks.count == 1)
    album.tracks.removeAll()
    album.tracks.append(Track("b"))
    #expect(try await album.tracks.get().titles == ["b"])
    await magic.close()
  }

  @Test(.requires(.queries)) func aPredicateWithAnUnsavedObjectThrowsWhenItIsEvaluated()
    async throws
  {
    let (magic, album) = try await album(2)
    let unsaved = Album("unsaved", by: Artist("Ben"))
    try album.tracks.removeAll { $0.$albums.contains(unsaved) }
    await expect(.notSaved) { _ = try await album.tracks.get() }
    await expect(.notSaved) { try await magic.update(album) }
    #expect(album.hasChanges)
    try await magic.update(unsaved)
    unsaved.tracks.append(try await magic.query(Track.self).where(\.$title == "1").all()[0])
    try await magic.update(unsaved)
    try await magic.update(album)
    #expect(try await stored(magic).tracks == ["0", "0"])
    await magic.close()
  }

  @Test(.requires(.queries)) func manyMembersAreEvaluated() async throws {
    let (magic, album) = try await album(1300)
    try album.tracks.removeAll { $0.$seconds >= 10 }
    #expect(try await album.tracks.count == 11)
    var streamed: [String] = []
    for try await track in try album.tracks.createAsyncStream() { streamed.append(track.title) }
    #expect(streamed == (0..<10).map(String.init) + ["0"])
    try await magic.update(album)
    #expect(try await stored(magic).tracks == streamed)
    await magic.close()
  }

  @Test(.requires(.queries)) func aRollbackKeepsTheRemoval() async throws {
    struct Failure: Error {}
    let (magic, album) = try await album(2)
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try album.tracks.removeAll { $0.$seconds == 1 }
        album.bonus.removeAll()
        try transaction.update(album)
        #expect(try album.tracks.get(in: transaction).titles == ["0", "0"])
        #expect(try album.bonus.count(in: transaction) == 0)
        throw Failure()
      }
    }
    #expect(try await stored(magic).tracks == ["0", "1", "0"])
    try await magic.update(album)
    #expect(try await stored(magic) == (["0", "0"], [], ["0", "1"]))
    await magic.close()
  }
}
