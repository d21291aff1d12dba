import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// The kinds of types whose objects refer to others.
@Suite(.everyEngine) struct GraphTypeTests {
  let scratch = Scratch()

  struct Wrapper<Item: MagicObject>: MagicObject {
    @MagicValue var item: Item
    @OptionMagicValue var other: Item?
    @MagicValue var items: [Item] = []
    @MagicValue var set: MagicalSet<Item> = []
    @MagicValue var keyed: [String: Item] = [:]
    static var tableName: String { "Wrapper of \(Item.tableName)" }

    init() {}
    init(_ item: Item) { self.item = item }
  }

  @Test func genericTypesReferToTheirTypeParameter() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Wrapper(Note("a"))
    note.items = [Note("b"), note.item]
    note.set = [Note("s")]
    note.keyed = ["k": note.item]
    let nested = Wrapper(note)
    nested.other = Wrapper(Note("c"))
    nested.items = [note, try #require(nested.other)]
    try await magic.update(nested)
    let stored = try await magic.object(of: Wrapper<Wrapper<Note>>.self)
    #expect(stored.map(\.item.item.text) == ["a"])
    #expect(stored[0].item.items.map(\.text) == ["b", "a"])
    #expect(stored[0].item.set.map(\.text) == ["s"])
    #expect(stored[0].item.keyed.mapValues(\.text) == ["k": "a"])
    #expect(stored[0].items.map(\.item.text) == ["a", "c"])
    stored[0].items[0].item.text = "changed"
    #expect(stored[0].item.keyed["k"]?.text == "changed")
    #expect(try await magic.object(of: Wrapper<Note>.self).count == 2)
    try await magic.update(Wrapper(Ticket("t")))
    #expect(try await magic.object(of: Wrapper<Ticket>.self)[0].item.title == "t")
  }

  @Test func typesWithRelationshipsMayHaveUnstoredProperties() async throws {
    struct Folder: MagicObject {
      var cursor = 5
      @MagicValue var drafts: [Draft] = []
      let tag = "plain"
      @OptionMagicValue var parent: Folder?
      var cache: [String] = ["x"]
      @MagicValue var name: String

      init() {}
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (child, parent) = (Folder(), Folder())
    (child.name, parent.name) = ("child", "parent")
    child.parent = parent
    child.drafts = [Draft(), Draft()]
    for (index, draft) in child.drafts.enumerated() { draft.body = "\(index)" }
    try await magic.update(child)
    var stored = try #require(await magic.object(of: Folder.self).first { $0.name == "child" })
    #expect(stored.cursor == 5 && stored.tag == "plain" && stored.cache == ["x"])
    stored.cursor = 6
    #expect(stored.parent?.name == "parent")
    #expect(stored.parent?.cursor == 5)
    #expect(stored.drafts.map(\.body) == ["0", "1"])
    #expect(stored.drafts.allSatisfy { $0.cursor == 7 && $0.tag == "plain" })
    stored.drafts.swapAt(0, 1)
    stored.parent?.name = "changed"
    try await magic.update(stored)
    let again = try #require(await magic.object(of: Folder.self).first { $0.name == "child" })
    #expect(again.drafts.map(\.body) == ["1", "0"])
    #expect(again.parent?.name == "changed")
  }

  final class Room: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var id: String
    @MagicValue var lamps: [Lamp] = []
    @OptionMagicValue var next: Room?
    @MagicValue var doors: [String: Room] = [:]
    var isOpen = false

    init() {}
    init(_ id: String) { self.id = id }
  }

  @Test func classesReferToClasses() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (hall, cellar) = (Room("hall"), Room("cellar"))
    (hall.next, cellar.next) = (cellar, hall)
    hall.doors = ["down": cellar, "back": hall]
    let lamp = Lamp()
    lamp.watts = 60
    hall.lamps = [lamp, lamp]
    try await magic.update(hall)
    #expect(lamp.zIndex != nil)
    let stored = try await magic.object(of: Room.self, primary: "hall")
    #expect(stored.next?.next?.lamps.map(\.watts) == [60, 60])
    stored.lamps[0].watts = 40
    #expect(stored.lamps[1].watts == 40)
    stored.doors["down"]?.next?.doors["new"] = Room("attic")
    #expect(stored.doors["new"]?.id == "attic")
    try await magic.update(stored)
    let again = try await magic.object(of: Room.self, primary: "hall")
    #expect(again.doors.mapValues(\.id) == ["down": "cellar", "back": "hall", "new": "attic"])
    #expect(again.lamps.map(\.watts) == [40, 40])
    (hall.next, cellar.next, hall.doors) = (nil, nil, [:])
  }

  @Test func typesInsideFunctionsReferToEachOther() async throws {
    struct Inner: MagicObject {
      @MagicValue var text: String = "in"
    }
    struct Outer: MagicObject {
      @MagicValue var inner: Inner = Inner()
      @MagicValue var more: [Int: Inner] = [:]
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let outer = Outer()
    outer.more = [3: outer.inner, 4: Inner()]
    outer.more[4]?.text = "four"
    try await magic.update(outer)
    let stored = try await magic.object(of: Outer.self)
    #expect(stored.map(\.inner.text) == ["in"])
    #expect(stored[0].more.mapValues(\.text) == [3: "in", 4: "four"])
  }

  @Test func anOwnerNeedsNoColumn() async throws {
    struct Bag: MagicObject {
      @MagicValue var notes: [Note] = []
    }
    struct Bags: MagicObject {
      @MagicValue var bags: MagicalSet<Bag> = []
      @MagicValue var selves: [Bags] = []
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let bags = Bags()
    bags.bags = [Bag(), Bag(), Bag()]
    for (index, bag) in bags.bags.enumerated() {
      bag.notes = (0..<index).map { Note("\(index) \($0)") }
    }
    bags.selves = [bags, bags]
    try await magic.update(bags)
    try await magic.update(Bag())
    let stored = try await magic.object(of: Bags.self)
    #expect(stored.count == 1)
    #expect(stored[0].bags.map(\.notes.count).sorted() == [0, 1, 2])
    #expect(stored[0].selves[1].selves[0].bags.count == 3)
    #expect(try await magic.object(of: Bag.self).count == 4)
    let bag = try #require(stored[0].bags.first { $0.notes.count == 2 })
    bag.notes.append(Note("new"))
    stored[0].bags.remove(bag)
    try await magic.update(bag)
    try await magic.update(stored[0])
    let again = try await magic.object(of: Bags.self)[0]
    #expect(again.bags.map(\.notes.count).sorted() == [0, 1])
    #expect(try await magic.object(of: Bag.self).map(\.notes.count).sorted() == [0, 0, 1, 3])
    try await magic.remove(stored[0])
    try scratch.expectRows(0, in: "magic_Bags.bags")
    bags.selves = []
  }

  @Test func tablesOfAnyNameReferToEachOther() async throws {
    struct Odd: MagicObject {
      @MagicValue(.named("the \"value\". 🎈")) var text: String = ""
      @OptionMagicValue(.named("next.one")) var next: Odd?
      @MagicValue(.named("a b")) var list: [Odd] = []
      @MagicValue(.named("'k'")) var keyed: [String: Odd] = [:]
      @MagicValue(.named("[s]")) var set: MagicalSet<Odd> = []
      static var tableName: String { "odd \"table\".name 🐙 [x] 'y'" }
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (one, two) = (Odd(), Odd())
    (one.text, two.text) = ("one", "two")
    (one.next, two.next) = (two, one)
    one.list = [two, one, two]
    one.keyed = ["two": two]
    one.set = [one, two]
    try await magic.update(one)
    let stored = try #require(await magic.object(of: Odd.self).first { $0.text == "one" })
    #expect(stored.next?.next?.list.map(\.text) == ["two", "one", "two"])
    #expect(stored.keyed["two"]?.text == "two")
    #expect(stored.set.count == 2)
    stored.list.remove(at: 0)
    stored.keyed["one"] = stored
    stored.set.remove(stored)
    try await magic.update(stored)
    let again = try #require(await magic.object(of: Odd.self).first { $0.text == "one" })
    #expect(again.list.map(\.text) == ["one", "two"])
    #expect(again.keyed.count == 2)
    #expect(again.set.map(\.text) == ["two"])
    try await magic.remove(again)
    #expect(try await magic.object(of: Odd.self).map(\.text) == ["two"])
    (one.next, two.next, one.list, one.set) = (nil, nil, [], [])
    (stored.keyed, again.keyed) = ([:], [:])
  }

  @Test func databasesInMemoryAndTemporaryDatabasesStoreGraphs() async throws {
    for kind in [MagicData.Kind.memory, .temporary] {
      let magic = try await MagicData.onTestedEngine(type: kind)
      let team = Team("red")
      team.players = (0..<10).map { Player("\($0)") }
      team.captain = team.players[3]
      try await magic.update(team)
      let stored = try await magic.object(of: Team.self, primary: "red")
      stored.players.remove(at: 0)
      try await magic.update(stored)
      #expect(
        try await magic.object(of: Team.self)[0].players.map(\.name) == (1..<10).map(String.init))
    }
  }
}
