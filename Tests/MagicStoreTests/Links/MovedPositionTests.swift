import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Lists without free positions, compared with the file after every save.
@Suite struct MovedPositionTests {
  private struct Item: MagicObject {
    @MagicValue var number: Int = 0

    init() {}
    init(_ number: Int) { self.number = number }
  }

  private struct Row: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var items: [Item] = []

    init() {}
  }

  @Test func theFileHasTheOrderOfMemoryAfterEveryEdit() throws {
    let seed = Effort.seed("MOVED")
    let scratch = Scratch()
    let store = try scratch.open()
    let row = Row()
    row.name = "a"
    row.items = (0..<4).map(Item.init)
    try store.update(row)
    func expectSame(_ step: Int) throws {
      let stored = try store.object(of: Row.self, primary: "a").items.map(\.number)
      #expect(stored == row.items.map(\.number), "after step \(step), MAGIC_MOVED_SEED=\(seed)")
    }
    var random = SeededRandom(seed)
    for step in 0..<300 {
      // Mostly at one position, so that members are moved, and sometimes at a later one.
      row.items.insert(Item(100 + step), at: 1)
      if step % 7 == 3 { row.items.insert(Item(1_000 + step), at: 2) }
      if step % 11 == 5 {
        row.items.insert(Item(2_000 + step), at: .random(in: 0...row.items.count, using: &random))
      }
      if step % 13 == 7 { row.items.remove(at: 3) }
      try store.update(row)
      try expectSame(step)
    }
  }

  @Test func membersThatAreMovedTwiceInOneSaveHaveTheirLastPosition() throws {
    let scratch = Scratch()
    let store = try scratch.open()
    let new = Row()
    new.name = "a"
    new.items = (0..<40).map(Item.init)
    try store.update(new)
    // No free position within the first 33 and the last 7, and few between both.
    try scratch.raw().execute(
      """
      UPDATE "magic_Row.items" SET "position" =
        CASE WHEN "position" >> 24 <= 33 THEN 0 ELSE 20000 END + ("position" >> 24)
      """)
    let row = try store.object(of: Row.self, primary: "a")
    row.items.insert(Item(100), at: 1)
    row.items.insert(contentsOf: (200..<600).map(Item.init), at: 12)
    try store.update(row)
    // Each of these is inserted after a member that was moved twice, once or never.
    for index in stride(from: row.items.count - 1, to: 0, by: -3) {
      row.items.insert(Item(1_000 + index), at: index)
    }
    try store.update(row)
    let stored = try store.object(of: Row.self, primary: "a").items.map(\.number)
    #expect(stored == row.items.map(\.number))
  }
}
