import Foundation
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// A lazy property has the same stored form as the property without `AsyncMagical`.
@Suite struct FileTests {
  let scratch = Scratch()

  private func schema(_ file: String) throws -> [String] {
    let statement = try scratch.raw(file).prepare(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    var all: [String] = []
    while try statement.step() { all.append(statement.column(0).text) }
    return all
  }

  @Test func theFileIsTheSame() async throws {
    let (eager, lazy) = (
      try await MagicData(path: scratch.file("a.sqlite3")),
      try await MagicData(path: scratch.file("b.sqlite3"))
    )
    try await eager.update(Eager.Case("c"))
    try await lazy.update(Lazy.Case("c"))
    #expect(try schema("a.sqlite3") == schema("b.sqlite3"))
  }

  @Test func changingTheTypeToTheOtherDoesNotChangeTheFile() async throws {
    try await MagicData(path: scratch.file()).update(Eager.Case("c"))
    let before = try schema("test.sqlite3")
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(readOnly: true))
    let found = try await magic.object(of: Lazy.Case.self)[0]
    #expect(try await found.things.get().map(\.name) == ["1", "2"])
    #expect(try await found.set.get().map(\.name) == ["1"])
    #expect(try await found.named.get().mapValues(\.name) == ["k": "2"])
    #expect(try await found.one.get().name == "1")
    #expect(found.other == nil)
    await magic.close()
    #expect(try schema("test.sqlite3") == before)
  }

  @Test func inBothDirections() async throws {
    try await MagicData(path: scratch.file()).update(Lazy.Case("c"))
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(readOnly: true))
    let found = try await magic.object(of: Eager.Case.self)[0]
    #expect(found.things.map(\.name) == ["1", "2"])
    #expect(found.one.name == "1")
    #expect(found.named["k"]?.name == "2")
  }

  @Test func deleteRulesApply() async throws {
    let magic = try await MagicData(path: scratch.file())
    let folder = LazyFolder("top", [LazyFolder("a", []), LazyFolder("b", [])])
    try await magic.update(folder)
    #expect(try await magic.object(of: LazyFolder.self).count == 3)
    try await magic.remove(folder)
    #expect(try await magic.object(of: LazyFolder.self).isEmpty)
  }

  @Test func anOptionalCollectionIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    await expect(.invalidSchema) { try await magic.update(OptionalCollection()) }
  }

  @Test func valuesThatAreNotObjectsAreRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    await expect(.invalidSchema) { try await magic.update(LazyNumber()) }
  }

  @Test func anInvalidDeleteRuleIsRefused() async throws {
    let magic = try await MagicData(path: scratch.file())
    await expect(.invalidSchema) { try await magic.update(NullifiedRequired()) }
  }
}

/// Two programs with the same table names.
enum Eager {
  struct Thing: MagicObject {
    @PrimaryMagicValue var name: String
    init() {}
    static var tableName: String { "EagerOrLazyThing" }
  }

  struct Case: MagicObject {
    @MagicValue var name: String
    @MagicValue var one: Thing
    @OptionMagicValue var other: Thing?
    @MagicValue var things: [Thing] = []
    @MagicValue(.onDelete(.deny)) var set: MagicalSet<Thing> = []
    @MagicValue var named: [String: Thing] = [:]
    init() {}
    static var tableName: String { "EagerOrLazyCase" }

    init(_ name: String) {
      self.name = name
      let (first, second) = (Thing(), Thing())
      (first.name, second.name) = ("1", "2")
      (one, things, set, named) = (first, [first, second], [first], ["k": second])
    }
  }
}

enum Lazy {
  struct Thing: MagicObject {
    @PrimaryMagicValue var name: String
    init() {}
    static var tableName: String { "EagerOrLazyThing" }
  }

  struct Case: MagicObject {
    @MagicValue var name: String
    @MagicValue var one: AsyncMagical<Thing>
    @OptionMagicValue var other: AsyncMagical<Thing>?
    @MagicValue var things: AsyncMagical<[Thing]> = .init(value: [])
    @MagicValue(.onDelete(.deny)) var set: AsyncMagical<MagicalSet<Thing>> = .init(value: [])
    @MagicValue var named: AsyncMagical<[String: Thing]> = .init(value: [:])
    init() {}
    static var tableName: String { "EagerOrLazyCase" }

    init(_ name: String) {
      self.name = name
      let (first, second) = (Thing(), Thing())
      (first.name, second.name) = ("1", "2")
      one = .init(value: first)
      things.set([first, second])
      set.set([first])
      named.set(["k": second])
    }
  }
}

struct LazyFolder: MagicObject {
  @MagicValue var name: String
  @MagicValue(.onDelete(.cascade)) var folders: AsyncMagical<[LazyFolder]> = .init(value: [])

  init() {}

  init(_ name: String, _ folders: [LazyFolder]) {
    self.name = name
    self.folders.set(folders)
  }
}

struct OptionalCollection: MagicObject {
  @OptionMagicValue var tracks: AsyncMagical<[Track]>?
  init() {}
}

struct LazyNumber: MagicObject {
  @MagicValue var number: AsyncMagical<Int> = .init(value: 1)
  init() {}
}

struct NullifiedRequired: MagicObject {
  @MagicValue(.onDelete(.nullify)) var track: AsyncMagical<Track> = .init(value: Track("t"))
  init() {}
}
