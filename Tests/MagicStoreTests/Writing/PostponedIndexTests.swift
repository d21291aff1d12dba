import EngineConformance
import Foundation
import MagicEngine
import MagicQuery
import MagicRelations
import MagicSQLite
@testable import MagicStore
import MagicTestSupport
import SQLiteStore
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

  /// Boxes refer to each other, and have no primary.
  private final class Node: MagicObject, @unchecked Sendable {
    @MagicValue var name: String
    @OptionMagicValue var next: Node?

    init() {}
    init(_ name: String) { self.name = name }
  }

  private struct Order: MagicObject {
    @PrimaryMagicValue var number: String
    @MagicValue(.owned, .onDelete(.cascade)) var lines: [Page] = []
    @MagicVersion var version: Int

    init() {}
    init(_ number: String, _ lines: [Page]) { (self.number, self.lines) = (number, lines) }
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

  // MARK: Batches

  /// The target of a to-one gets a row ID after the one that was reserved for its owner, so that row IDs are
  /// not in the order of the rows.
  @Test(arguments: [2, 3, 6]) func rowIDsThatWereReservedAheadAreKept(_ size: Int) throws {
    try scratch.using { store throws in
      var nodes = [Node("first")]
      for circle in 0..<9 {
        let circle = (0..<size).map { Node("\(circle) \($0)") }
        for (node, next) in zip(circle, circle.dropFirst() + [circle[0]]) { node.next = next }
        nodes.append(circle[0])
      }
      nodes.append(Node("last"))
      try store.update(contentsOf: nodes)
      let stored = try store.object(of: Node.self)
      #expect(stored.count == 2 + 9 * size)
      let known = Dictionary(uniqueKeysWithValues: stored.map { ($0.zIndex, $0) })
      for node in nodes {
        let found = try #require(known[node.zIndex])
        #expect(found.name == node.name)
        #expect(found.next?.name == node.next?.name && found.next?.zIndex == node.next?.zIndex)
      }
    }
  }

  // MARK: What needs indexes

  @Test func ownedListsOfStoredOwnersUseTheirIndexes() throws {
    let orders = (0..<Self.count).map { Order("\($0)", []) }
    let statements = Recorder<String>()
    let store = try MagicObjectStore.open(
      .file(scratch.file()), options: MagicOptions(trace: { statements.note($0) }))
    defer { store.close() }
    try store.update(Page("first"))
    try store.removeAll(of: Page.self)
    try store.update(contentsOf: orders)
    for (index, order) in orders.enumerated() { order.lines = [Page("\(index)")] }
    try store.update(contentsOf: orders)
    let dropped = statements.all.filter { $0.hasPrefix("DROP INDEX") }
    #expect(dropped.contains { $0.contains("Page(path)") })
    #expect(!dropped.contains { $0.contains("owner, position") || $0.contains("Page(next)") })
    #expect(try store.object(of: Order.self, primary: "7").lines.first?.path == "7")
    #expect(try store.verify().isSound)
  }

  @Test func versionsAreCountedOnceByTheSecondAttempt() throws {
    let orders = (0..<Self.count).map { Order("\($0)", [Page("\($0)")]) }
    let twin = Order("7", [Page("twin")])
    try scratch.using { store throws in
      try store.update(contentsOf: orders + [twin])
      #expect(twin.version == 2 && orders[8].version == 1 && twin.zIndex == orders[7].zIndex)
      let stored = try store.object(of: Order.self, primary: "7")
      #expect(stored.version == 2 && stored.lines.map(\.path) == ["twin"])
      #expect(try store.object(of: Order.self).count == Self.count)
      #expect(try store.verify().isSound)
    }
  }

  @Test func statisticsAreKept() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: players)
      try scratch.change("ANALYZE")
      try store.removeAll(of: Player.self)
    }
    let analyzed = "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'Player'"
    let before = try scratch.raw().integer(analyzed)
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<Self.count).map(Player.init))
    }
    #expect(try scratch.raw().integer(analyzed) == before)
    #expect(before != 0)
  }
}
