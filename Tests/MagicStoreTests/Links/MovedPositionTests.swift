import MagicRelations
import MagicSchema
import MagicStore
import Testing

/// Lists whose room is used up, compared with the file after every save.
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
    let scratch = Scratch()
    let store = try scratch.open()
    let row = Row()
    row.name = "a"
    row.items = (0..<4).map(Item.init)
    try store.update(row)
    func expectSame(_ step: Int) throws {
      let stored = try store.object(of: Row.self, primary: "a").items.map(\.number)
      #expect(stored == row.items.map(\.number), "after step \(step)")
    }
    var random = SystemRandomNumberGenerator()
    for step in 0..<300 {
      // Mostly one place, so that members are moved, and now and then another behind it.
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
}
