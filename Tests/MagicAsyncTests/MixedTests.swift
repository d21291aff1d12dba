import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Lazy properties together with others, in every kind of database.
@Suite(.everyEngine) struct MixedTests {
  let scratch = Scratch()

  /// Objects that are fetched with others of their own type.
  struct Member: MagicObject {
    @PrimaryMagicValue var name: String
    @OptionMagicValue var friend: Member?
    @MagicValue var team: [Member] = []
    @MagicValue var likes: AsyncMagical<[Member]> = .init(value: [])
    @OptionMagicValue var chief: AsyncMagical<Member>?

    init() {}
    init(_ name: String) { self.name = name }
  }

  @Test func objectsOfAGraphReadLazyValuesLikeOthers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, ben) = (Member("Ada"), Member("Ben"))
    (ada.friend, ben.friend) = (ben, ada)
    ada.team = [ben]
    ben.likes.set([ada, ben])
    ben.chief = .init(value: ada)
    try await magic.update(ada)

    let found = try await magic.object(of: Member.self, primary: "Ada")
    let friend = try #require(found.friend)
    #expect(found.chief == nil)
    #expect(try await friend.likes.get().map(\.name) == ["Ada", "Ben"])
    #expect(try await friend.chief?.get().name == "Ada")
    #expect(try await friend.likes.get()[1].friend?.name == "Ada")
    friend.likes.set([found])
    friend.chief = nil
    try await magic.update(found)
    let again = try await magic.object(of: Member.self, primary: "Ben")
    #expect(try await again.likes.get().map(\.name) == ["Ada"])
    #expect(again.chief == nil)
    #expect(again.friend?.team.map(\.name) == ["Ben"])
  }

  @Test func aStoreInMemorySupportsLazyProperties() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let tracks = (0..<700).map { Track("\($0)", seconds: $0) }
    try await magic.update(Album("A", by: Artist("Ada"), tracks: tracks))
    let album = try await magic.object(of: Album.self)[0]
    #expect(try await album.tracks.get().count == 700)
    #expect(try await album.tracks.count == 700)
    #expect(try await album.tracks.randomValue(in: 699..<999)?.seconds == 699)
    var seen: [Int] = []
    for try await track in try album.tracks.createAsyncStream() { seen.append(track.seconds) }
    #expect(seen == Array(0..<700))
    let count = try await magic.read { try album.tracks.get(in: $0).count }
    #expect(count == 700)
    try await magic.transaction { transaction in
      album.tracks.set([])
      try transaction.update(album)
      #expect(try album.tracks.get(in: transaction).isEmpty)
    }
    #expect(try await album.tracks.count == 0)
  }

  @Test func aPropertyIsChangedInPlace() async throws {
    func change(_ tracks: inout AsyncMagical<[Track]>) { tracks = .init(value: [Track("new")]) }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Album("A", by: Artist("Ada")))
    let album = try await magic.object(of: Album.self)[0]
    change(&album.tracks)
    try await magic.update(album)
    #expect(try await magic.object(of: Album.self)[0].tracks.get().titles == ["new"])
  }

  struct Key: Hashable, Codable, Sendable {
    var number: Int
  }

  struct Keyed: MagicObject {
    @MagicValue var numbers: AsyncMagical<[Int: Track]> = .init(value: [:])
    @MagicValue var reals: AsyncMagical<[Double: Track]> = .init(value: [:])
    @MagicValue var identifiers: AsyncMagical<[UUID: Track]> = .init(value: [:])
    @MagicValue var keys: AsyncMagical<[Key: Track]> = .init(value: [:])

    init() {}
  }

  @Test func keysOfEveryKindAreReadInPages() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let count = 1_100
    let tracks = (0..<count).map { Track("\($0)", seconds: $0) }
    let keyed = Keyed()
    keyed.numbers.set(Dictionary(uniqueKeysWithValues: tracks.map { ($0.seconds - 500, $0) }))
    keyed.reals.set(
      Dictionary(
        uniqueKeysWithValues: tracks.map { track -> (Double, Track) in
          (Double(track.seconds) / 7 - 50, track)
        }))
    keyed.identifiers.set(Dictionary(uniqueKeysWithValues: tracks.map { (UUID(), $0) }))
    keyed.keys.set(Dictionary(uniqueKeysWithValues: tracks.map { (Key(number: $0.seconds), $0) }))
    try await magic.update(keyed)
    let found = try await magic.object(of: Keyed.self)[0]

    var numbers: [Int] = []
    for try await (key, track) in try found.numbers.createAsyncStream() {
      #expect(key == track.seconds - 500)
      numbers.append(key)
    }
    #expect(numbers == Array(-500..<count - 500))
    var reals: [Double] = []
    for try await (key, _) in try found.reals.createAsyncStream() { reals.append(key) }
    #expect(reals == tracks.map { track -> Double in Double(track.seconds) / 7 - 50 })
    var identifiers: Set<UUID> = []
    for try await (key, _) in try found.identifiers.createAsyncStream() { identifiers.insert(key) }
    #expect(identifiers.count == count)
    var keys: [Int] = []
    for try await (key, track) in try found.keys.createAsyncStream() {
      #expect(key.number == track.seconds)
      keys.append(key.number)
    }
    #expect(keys.sorted() == Array(0..<count))
  }

  struct Before: MagicObject {
    @MagicValue var name: String
    static var tableName: String { "BeforeAndAfter" }
    init() {}
  }

  struct After: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var artist: AsyncMagical<Artist>?
    @MagicValue var tracks: AsyncMagical<[Track]> = .init(value: [])
    static var tableName: String { "BeforeAndAfter" }
    init() {}
  }

  @Test(.requires(.files)) func aPropertyThatTheFileDoesNotHaveIsEmpty() async throws {
    let old = Before()
    old.name = "old"
    try await MagicData.onTestedEngine(path: scratch.file()).update(old)
    let reading = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(readOnly: true))
    let found = try await reading.object(of: After.self)[0]
    #expect(found.artist == nil)
    #expect(try await found.tracks.get().isEmpty)
    #expect(try await found.tracks.count == 0)
    for try await _ in try found.tracks.createAsyncStream() { Issue.record("a member") }
    await reading.close()

    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let changed = try await magic.object(of: After.self)[0]
    changed.artist = .init(value: Artist("Ada"))
    changed.tracks.set([Track("1")])
    try await magic.update(changed)
    #expect(try await magic.object(of: After.self)[0].tracks.get().titles == ["1"])
  }

  @Test func aNewOwnerReplacesTheRowWithItsPrimary() async throws {
    struct Named: MagicObject {
      @PrimaryMagicValue var name: String
      @MagicValue var tracks: AsyncMagical<[Track]> = .init(value: [])
      init() {}
      init(_ tracks: [Track]) {
        name = "n"
        self.tracks.set(tracks)
      }
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Named([Track("1"), Track("2")]))
    try await magic.update(Named([Track("3")]))
    let found = try await magic.object(of: Named.self)
    #expect(found.count == 1)
    #expect(try await found[0].tracks.get().titles == ["3"])
  }
}
