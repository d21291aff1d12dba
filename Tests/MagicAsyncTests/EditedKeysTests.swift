import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Edits of single keys of lazy dictionaries.
@Suite(.everyEngine) struct EditedKeysTests {
  struct Square: Codable, Hashable, Sendable {
    var column: String
    var row: Int
  }

  struct Board: MagicObject {
    @MagicValue var squares: AsyncMagical<[Square: Track]> = .init(value: [:])
    @MagicValue var numbered: AsyncMagical<[Int: Track]> = .init(value: [:])
    init() {}
  }

  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func album(_ count: Int) async throws -> (MagicData, Album) {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let album = Album("A", by: Artist("Ada"))
    let named = (0..<count).map { ("\($0)", Track("t\($0)", seconds: $0)) }
    album.named.set(Dictionary(uniqueKeysWithValues: named))
    try await magic.update(album)
    return (magic, try await magic.object(of: Album.self)[0])
  }

  private func titles(_ album: Album) async throws -> [String: String] {
    try await album.named.get().mapValues(\.title)
  }

  private func stored(_ magic: MagicData) async throws -> [String: String] {
    try await titles(magic.object(of: Album.self)[0])
  }

  @Test func keysAreSetAndRemoved() async throws {
    let (magic, album) = try await album(4)
    let new = Track("new")
    album.named.updateValue(new, forKey: "1")
    album.named.updateValue(new, forKey: "x")
    album.named.removeValue(forKey: "2")
    album.named.removeValue(forKey: "missing")
    #expect(album.hasChanges && !new.isSaved)
    let expected = ["0": "t0", "1": "new", "3": "t3", "x": "new"]
    #expect(try await titles(album) == expected)
    #expect(try await album.named.count == 4)
    #expect(try await album.named.value(forKey: "1")?.title == "new")
    #expect(try await album.named.value(forKey: "2") == nil)
    #expect(try await album.named.value(forKey: "3")?.title == "t3")
    #expect(try await album.named.value(forKey: "missing") == nil)
    let random = try #require(try await album.named.randomValue())
    #expect(expected[random.key] == random.value.title)
    var streamed: [String: String] = [:]
    for try await (key, track) in try album.named.createAsyncStream() {
      streamed[key] = track.title
    }
    #expect(streamed == expected)
    try await magic.update(album)
    #expect(!album.hasChanges)
    #expect(try await titles(album) == expected)
    #expect(try await stored(magic) == expected)
    recorder.clear()
    try await magic.update(album)
    #expect(recorder.writes.isEmpty)
    #expect(try await magic.verify().findings.isEmpty)
    await magic.close()
  }

  @Test func twoUnicodeFormsOfAKeyAreDifferentKeys() async throws {
    let (magic, album) = try await album(0)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    album.named.updateValue(Track("composed"), forKey: composed)
    album.named.updateValue(Track("decomposed"), forKey: decomposed)
    func expectBoth(_ album: Album) async throws {
      #expect(try await album.named.count == 2)
      #expect(try await album.named.value(forKey: composed)?.title == "composed")
      #expect(try await album.named.value(forKey: decomposed)?.title == "decomposed")
    }
    try await expectBoth(album)
    try await magic.update(album)
    try await expectBoth(album)
    let again = try await magic.object(of: Album.self)[0]
    try await expectBoth(again)
    again.named.removeValue(forKey: decomposed)
    #expect(try await again.named.count == 1)
    #expect(try await again.named.value(forKey: composed)?.title == "composed")
    #expect(try await again.named.value(forKey: decomposed) == nil)
    again.named.updateValue(Track("new"), forKey: composed)
    again.named.updateValue(Track("newer"), forKey: composed)
    try await magic.update(again)
    #expect(try await stored(magic) == [composed: "newer"])
    await magic.close()
  }

  @Test func theStatementsDoNotDependOnTheSize() async throws {
    var counts: [Int] = []
    for count in [3, 700] {
      let (magic, album) = try await album(count)
      let track = try #require(try await album.named.value(forKey: "0"))
      recorder.clear()
      #expect(try await album.named.value(forKey: "1")?.title == "t1")
      album.named.updateValue(track, forKey: "new")
      album.named.removeValue(forKey: "1")
      try await magic.update(album)
      counts.append(recorder.work.count)
      try await magic.removeAll(of: Album.self)
      await magic.close()
    }
    #expect(counts[0] == counts[1])
  }

  @Test func theLastEditOfAKeyIsSaved() async throws {
    let (magic, album) = try await album(2)
    let (first, second) = (Track("first"), Track("second"))
    album.named.updateValue(first, forKey: "0")
    album.named.updateValue(second, forKey: "0")
    album.named.updateValue(first, forKey: "x")
    album.named.removeValue(forKey: "x")
    album.named.removeValue(forKey: "1")
    album.named.updateValue(second, forKey: "1")
    #expect(try await titles(album) == ["0": "second", "1": "second"])
    try await magic.update(album)
    #expect(try await stored(magic) == ["0": "second", "1": "second"])
    #expect(!first.isSaved)
    await magic.close()
  }

  @Test func keysThatOthersSetAreKept() async throws {
    let (magic, album) = try await album(1)
    let other = try await magic.object(of: Album.self)[0]
    other.named.updateValue(Track("theirs"), forKey: "b")
    try await magic.update(other)
    album.named.updateValue(Track("mine"), forKey: "a")
    try await magic.update(album)
    #expect(try await stored(magic) == ["0": "t0", "a": "mine", "b": "theirs"])
    await magic.close()
  }

  @Test func keysOfOtherTypesAreFound() async throws {
    let magic = try await MagicData.open(scratch.file(), recorder)
    let board = Board()
    try await magic.update(board)
    let track = Track("t")
    board.squares.updateValue(track, forKey: Square(column: "a", row: 1))
    board.squares.updateValue(track, forKey: Square(column: "b", row: 2))
    board.numbered.updateValue(track, forKey: -1)
    try await magic.update(board)
    #expect(try await board.squares.value(forKey: Square(column: "b", row: 2))?.title == "t")
    #expect(try await board.squares.value(forKey: Square(column: "b", row: 1)) == nil)
    #expect(try await board.numbered.value(forKey: -1)?.title == "t")
    board.squares.removeValue(forKey: Square(column: "a", row: 1))
    board.numbered.removeValue(forKey: -1)
    try await magic.update(board)
    #expect(try await board.squares.get().keys.map(\.row) == [2])
    #expect(try await board.numbered.count == 0)
    await magic.close()
  }

  @Test func aDictionaryInMemoryIsEdited() async throws {
    let album = Album("A", by: Artist("Ada"))
    album.named.updateValue(Track("a"), forKey: "a")
    album.named.updateValue(Track("b"), forKey: "b")
    album.named.removeValue(forKey: "a")
    #expect(try await titles(album) == ["b": "b"])
    #expect(try await album.named.value(forKey: "b")?.title == "b")
    #expect(try await album.named.value(forKey: "a") == nil)
    album.named.removeAll()
    #expect(try await album.named.count == 0)
  }

  @Test func aDeletedMemberRemovesItsKey() async throws {
    let (magic, album) = try await album(2)
    let track = try #require(try await album.named.value(forKey: "1"))
    let same = try #require(try await album.named.value(forKey: "1"))
    album.named.updateValue(track, forKey: "0")
    try await magic.remove(same)
    try await magic.update(album)
    #expect(try await stored(magic) == [:])
    await magic.close()
  }

  @Test func aTransactionSeesItsOwnKeysAndARollbackKeepsTheEdits() async throws {
    struct Failure: Error {}
    let (magic, album) = try await album(1)
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        album.named.updateValue(Track("new"), forKey: "new")
        try transaction.update(album)
        album.named.removeValue(forKey: "0")
        #expect(try album.named.value(forKey: "new", in: transaction)?.title == "new")
        #expect(try album.named.value(forKey: "0", in: transaction) == nil)
        #expect(try album.named.count(in: transaction) == 1)
        throw Failure()
      }
    }
    #expect(try await stored(magic) == ["0": "t0"])
    #expect(try await titles(album) == ["new": "new"])
    album.revert()
    #expect(try await titles(album) == ["0": "t0"])
    await magic.close()
  }
}
