import EngineConformance
import Foundation
import MagicEngine
import MagicQuery
import MagicRelations
import MagicSQLite
@testable import MagicStore
import MagicTestSupport
import Testing

/// Saves of many objects into tables without rows, whose indexes are created after the rows.
@Suite struct PostponedIndexTests {
  let scratch = Scratch()

  private struct Player: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue(.indexed) var name: String
    @OptionMagicValue(.unique) var number: Int?
    @ReverseMagicValue(\Squad.$players) var squads: AsyncReverseMagicSet<Squad>

    init() {}
    init(_ index: Int) {
      id = "player \(index * 7_919 % 100_003)"
      name = "name \(index % 100)"
    }
  }

  private struct Squad: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var players: [Player] = []

    init() {}
    init(_ name: String, _ players: [Player]) { (self.name, self.players) = (name, players) }
  }

  private struct Page: MagicObject {
    @PrimaryMagicValue var path: String
    @OptionMagicValue var next: Page?

    init() {}
    init(_ path: String) { self.path = path }
  }

  private static let count = 2_500
  private let players = (0..<Self.count).map(Player.init)

  /// The indexes of all tables, and how often the schema was changed.
  private func schema() throws -> (indexes: [String], version: Int64?) {
    let raw = try scratch.raw()
    defer { raw.close() }
    return (
      try raw.texts(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
      ),
      try raw.integer("PRAGMA schema_version")
    )
  }

  /// Creates tables without rows, and runs a save.
  ///
  /// - Parameter isPostponed: whether the save must have created the indexes after the rows; nil for
  ///   either.
  private func save(
    postponing isPostponed: Bool? = nil, sql: String = "",
    _ body: (MagicObjectStore) throws -> Void
  ) throws {
    try scratch.using { store throws in
      try store.update(Squad("", [Player(1)]))
      try store.update(Page(""))
      try store.removeAll(of: Player.self)
      try store.removeAll(of: Squad.self)
      try store.removeAll(of: Page.self)
      if !sql.isEmpty { try scratch.change(sql) }
    }
    let before = try schema()
    try scratch.using { store throws in
      try body(store)
      #expect(try store.verify().isSound)
    }
    let after = try schema()
    #expect(after.indexes == before.indexes)
    if let isPostponed { #expect((after.version != before.version) == isPostponed) }
  }

  @Test func manyObjectsInATableWithoutRowsAreSavedBeforeItsIndexes() throws {
    try save(postponing: true) { store throws in
      let rows = try store.update(contentsOf: players)
      #expect(
        rows.map(\.rawValue) == Array(rows[0].rawValue..<rows[0].rawValue + Int64(Self.count)))
      for player in players.prefix(50) {
        #expect(try store.object(of: Player.self, primary: player.id).name == player.name)
      }
      #expect(try store.query(Player.self).where(\.$name == "name 7").count() == 25)
    }
  }

  @Test func fewObjectsUseTheIndexes() throws {
    try save(postponing: false) { store throws in
      try store.update(contentsOf: Array(players.prefix(1_000)))
    }
  }

  @Test func objectsInATableWithRowsUseTheIndexes() throws {
    try save(postponing: false) { store throws in
      try store.update(Player(0))
      try store.update(contentsOf: players)
      #expect(try store.query(Player.self).count() == Self.count)
    }
  }

  @Test func ofTwoObjectsWithOnePrimaryTheLaterIsStored() throws {
    let twin = Player(3)
    twin.name = "twin"
    try save { store throws in
      let rows = try store.update(contentsOf: players + [twin])
      #expect(rows.last == rows[3])
      #expect(twin.zIndex == players[3].zIndex && twin.zIndex != nil)
      #expect(try store.query(Player.self).count() == Self.count)
      #expect(try store.object(of: Player.self, primary: twin.id).name == "twin")
    }
  }

  @Test func insertedObjectsWithOnePrimaryAreRefused() throws {
    try save { store throws in
      let error = #expect(throws: MagicError.self) {
        try store.insert(contentsOf: players + [Player(3)])
      }
      #expect(error?.code == .notUnique && error?.property == "id")
      let saved = players.filter { $0.zIndex != nil }
      #expect(saved.isEmpty)
      #expect(try store.object(of: Player.self).isEmpty)
    }
  }

  @Test func equalUniqueValuesAreRefusedAndTheTransactionContinues() throws {
    (players[5].number, players[2_000].number) = (1, 1)
    try save { store throws in
      try store.transaction { transaction throws in
        let error = #expect(throws: MagicError.self) { try transaction.update(contentsOf: players) }
        #expect(error?.code == .notUnique && error?.property == "number")
        #expect(players[5].zIndex == nil)
        try transaction.update(players[5])
      }
      #expect(try store.object(of: Player.self).map(\.id) == [players[5].id])
      players[2_000].number = 2
      try store.update(contentsOf: players)
      #expect(try store.query(Player.self).count() == Self.count)
    }
  }

  @Test func graphsAreSavedBeforeTheIndexesOfAllTheirTables() throws {
    let squads = (0..<Self.count).map {
      Squad("squad \($0)", [players[$0], players[($0 + 1) % Self.count]])
    }
    try save(postponing: true) { store throws in
      try store.update(contentsOf: squads)
      let found = try store.object(of: Squad.self, primary: "squad 12")
      #expect(found.players.map(\.id) == [players[12].id, players[13].id])
      #expect(
        try scratch.raw().integer("SELECT count(*) FROM \"magic_Squad.players\"")
          == Int64(2 * Self.count))
    }
  }

  @Test func membersWithOnePrimaryAreOneRow() throws {
    let squads = (0..<Self.count).map { Squad("squad \($0)", [Player($0 / 2)]) }
    try save { store throws in
      try store.update(contentsOf: squads)
      #expect(try store.query(Player.self).count() == Self.count / 2)
      #expect(
        try store.object(of: Squad.self, primary: "squad 7").players.map(\.id) == [Player(3).id])
    }
  }

  @Test func objectsThatReferToLaterOnesAreSaved() throws {
    let pages = (0..<Self.count).map { Page("page \($0)") }
    for (page, next) in zip(pages, pages.dropFirst() + [pages[0]]) { page.next = next }
    try save { store throws in
      try store.update(contentsOf: pages)
      #expect(try store.object(of: Page.self, primary: "page 9").next?.path == "page 10")
      #expect(try store.query(Page.self).count() == Self.count)
    }
  }

  @Test func indexesOfUsersAreCreatedAgain() throws {
    let indexes = """
      CREATE INDEX own ON Player (lower(name), id DESC);
      CREATE UNIQUE INDEX part ON Player (name) WHERE number > 0
      """
    try save(postponing: true, sql: indexes) { try $0.update(contentsOf: players) }
  }

  @Test func valuesInAUniqueIndexOfAUserAreRefused() throws {
    (players[1].number, players[101].number) = (1, 2)
    try save(sql: "CREATE UNIQUE INDEX part ON Player (name) WHERE number > 0") { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(contentsOf: players) }
      #expect(error?.code == .notUnique)
      #expect(try store.object(of: Player.self).isEmpty)
    }
  }

  @Test func triggersOfUsersUseTheIndexes() throws {
    let trigger = "CREATE TRIGGER own AFTER INSERT ON Player BEGIN SELECT 1; END"
    try save(postponing: false, sql: trigger) { try $0.update(contentsOf: players) }
  }

  @Test func foreignKeysOfOtherProgramsUseTheIndexes() throws {
    let key = """
      CREATE TABLE Fan (player TEXT REFERENCES Player (id)); INSERT INTO Fan VALUES (NULL)
      """
    try save(sql: key) { store throws in
      try store.update(contentsOf: players)
      #expect(try store.query(Player.self).count() == Self.count)
    }
  }

  @Test func cancellingTheTaskStoresNothing() async throws {
    try save { store throws in
      let error = #expect(throws: CancellationError.self) {
        withUnsafeCurrentTask { $0?.cancel() }
        try store.update(contentsOf: players)
      }
      #expect(error != nil)
    }
  }

  @Test func anotherConnectionReadsWithTheNewIndexes() throws {
    try save { store throws in
      let other = try scratch.open()
      defer { other.close() }
      #expect(try other.object(of: Player.self).isEmpty)
      try store.update(contentsOf: players)
      #expect(try other.object(of: Player.self, primary: players[0].id).id == players[0].id)
      try other.update(Player(Self.count))
      #expect(try store.query(Player.self).count() == Self.count + 1)
    }
  }
}
