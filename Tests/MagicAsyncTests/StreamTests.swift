import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Streams of members.
@Suite(.everyEngine) struct StreamTests {
  let scratch = Scratch()
  let recorder = Recorder<String>()

  private func open() async throws -> MagicData {
    try await MagicData.open(scratch.file(), recorder)
  }

  private func collect<Element>(_ stream: MagicMemberStream<Element>) async throws -> [Element] {
    var all: [Element] = []
    for try await element in stream { all.append(element) }
    return all
  }

  private func numbered(_ count: Int) -> [Track] {
    (0..<count).map { Track("\($0)", seconds: $0) }
  }

  @Test(arguments: [0, 1, 511, 512, 513, 1_024, 1_300])
  func everyMemberIsReturnedOnceInOrder(_ count: Int) async throws {
    let magic = try await open()
    let album = Album("A", by: Artist("Ada"), tracks: numbered(count))
    album.bonus.set(MagicalSet(numbered(count)))
    album.named.set(
      Dictionary(uniqueKeysWithValues: numbered(count).map { ("key \($0.seconds)", $0) }))
    try await magic.update(album)
    let fetched = try await magic.object(of: Album.self)[0]
    let tracks = try await collect(fetched.tracks.createAsyncStream())
    #expect(tracks.map(\.seconds) == Array(0..<count))
    let bonus = try await collect(fetched.bonus.createAsyncStream())
    #expect(bonus.map(\.seconds).sorted() == Array(0..<count))
    let named = try await collect(fetched.named.createAsyncStream())
    #expect(named.allSatisfy { $0.key == "key \($0.value.seconds)" })
    #expect(named.map(\.value.seconds).sorted() == Array(0..<count))
  }

  @Test func membersOfAnUnsavedOwnerAreReadFromMemory() async throws {
    let album = Album("A", by: Artist("Ada"), tracks: numbered(3))
    album.named.set(["x": Track("x")])
    #expect(try await collect(album.tracks.createAsyncStream()).titles == ["0", "1", "2"])
    let named = try await collect(album.named.createAsyncStream())
    #expect(named.map(\.key) == ["x"])
    #expect(named.map(\.value.title) == ["x"])
  }

  @Test func aMemberThatOccursTwiceIsReturnedTwice() async throws {
    let magic = try await open()
    let track = Track("t")
    try await magic.update(Album("A", by: Artist("Ada"), tracks: [track, Track("u"), track]))
    let album = try await magic.object(of: Album.self)[0]
    #expect(try await collect(album.tracks.createAsyncStream()).titles == ["t", "u", "t"])
  }

  @Test(.requires(.files)) func aPositionThatIsNotANumberIsAnErrorAndNoEndlessStream() async throws
  {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(600)))
    let raw = try scratch.raw()
    try raw.execute("UPDATE \"magic_Album.tracks\" SET position = 'x' || position")
    raw.close()
    let album = try await magic.object(of: Album.self)[0]
    await expect(.cannotDecode) { _ = try await collect(album.tracks.createAsyncStream()) }
  }

  @Test func aValueThatWasNeverSetHasNoStream() {
    let playlist = Playlist()
    #expect(throws: MagicError.self) { try playlist.entries.createAsyncStream() }
  }

  @Test func pagesAreReadOnDemand() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(1_200)))
    let album = try await magic.object(of: Album.self)[0]
    _ = try await album.tracks.get()
    var members = try album.tracks.createAsyncStream().makeAsyncIterator()
    recorder.clear()
    for _ in 0..<512 { _ = try await members.next() }
    recorder.expectRan(1)
    _ = try await members.next()
    // One more checks that the last join row still has its position.
    recorder.expectRan(3)
  }

  @Test func noMoreThanAPageIsInMemory() async throws {
    let magic = try await open()
    let shelf = Shelf()
    shelf.items.set((0..<2_000).map { Item($0) })
    try await magic.update(shelf)
    let fetched = try await magic.object(of: Shelf.self)[0]
    let before = Item.living.count
    var most = 0
    var count = 0
    for try await item in try fetched.items.createAsyncStream() {
      count += 1
      _ = item.number
      most = max(most, Item.living.count - before)
    }
    #expect(count == 2_000)
    #expect(most <= 512)
    #expect(most > 0)
  }

  @Test(.requires(.maintenance)) func noConnectionIsHeldBetweenPages() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(readers: 1))
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(600)))
    let album = try await magic.object(of: Album.self)[0]
    var count = 0
    for try await _ in try album.tracks.createAsyncStream() {
      if count.isMultiple(of: 100) { #expect(try await album.tracks.count == 600) }
      count += 1
    }
    #expect(count == 600)
  }

  @Test func aCancelledTaskStops() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(600)))
    let album = try await magic.object(of: Album.self)[0]
    let task = Task {
      var count = 0
      for try await _ in try album.tracks.createAsyncStream() {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
        // One of eight members is preceded by a check.
        #expect(count < 10 + 8)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func itEndsWhenTheOwnerIsDeleted() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(1_200)))
    let album = try await magic.object(of: Album.self)[0]
    var count = 0
    for try await _ in try album.tracks.createAsyncStream() {
      count += 1
      if count == 100 { try await magic.removeAll(of: Album.self) }
    }
    #expect(count == 512)
  }

  @Test func aStreamOfAClosedStoreThrows() async throws {
    let magic = try await open()
    try await magic.update(Album("A", by: Artist("Ada"), tracks: numbered(1_200)))
    let album = try await magic.object(of: Album.self)[0]
    await expect(.closed) {
      for try await track in try album.tracks.createAsyncStream() where track.seconds == 3 {
        await magic.close()
      }
    }
  }
}

/// An owner whose collection has no default.
struct Playlist: MagicObject {
  @MagicValue var entries: AsyncMagical<[Track]>

  init() {}
}

struct Shelf: MagicObject {
  @MagicValue var items: AsyncMagical<[Item]> = .init(value: [])

  init() {}
}

/// An object that is counted while it exists.
final class Item: MagicObject, @unchecked Sendable {
  @MagicValue var number: Int
  static let living = Living()

  init() { Self.living.add(1) }

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }

  deinit { Self.living.add(-1) }
}

final class Living: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  func add(_ more: Int) { lock.withLock { number += more } }
  var count: Int { lock.withLock { number } }
}
