import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Types whose name differs from that of their table.
@Suite struct TypeRenamingTests {
  let scratch = Scratch()

  private struct Shop: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue(.indexed) var name: String
    @OptionMagicValue var head: Shop?
    @MagicValue var branches: [Shop] = []
    @MagicValue(.onDelete(.cascade)) var goods: MagicalSet<Leaf> = []
    init() {}
    init(_ name: String) { self.name = name }
  }

  private struct Street: MagicObject {
    @MagicValue var name = "street"
    @MagicValue(.onDelete(.cascade)) var shops: [Shop] = []
    @OptionMagicValue(.onDelete(.deny)) var first: Shop?
  }

  private struct Store: MagicObject {
    static var wasNamed: [String] { ["Market", "Shop"] }
    @PrimaryMagicValue var number: Int
    @MagicValue(.indexed) var name: String
    @OptionMagicValue var head: Store?
    @MagicValue var branches: [Store] = []
    @MagicValue(.onDelete(.cascade)) var goods: MagicalSet<Leaf> = []
    init() {}
    init(_ name: String) { self.name = name }
  }

  private enum Later {
    struct Street: MagicObject {
      @MagicValue var name = "street"
      @MagicValue(.onDelete(.cascade)) var shops: [Store] = []
      @OptionMagicValue(.onDelete(.deny)) var first: Store?
    }
  }

  /// A street with the shops a and b, which refer to each other; a has the goods 1 and 2.
  private func make() throws {
    try scratch.using { store throws in
      let (first, second) = (Shop("a"), Shop("b"))
      (first.branches, second.head) = ([second, second], first)
      first.goods = [Leaf(1), Leaf(2)]
      let street = Street()
      (street.shops, street.first) = ([first, second], first)
      try store.update(street)
    }
  }

  @Test func aRenamedTypeKeepsItsRowsAndReferences() throws {
    try make()
    try scratch.using { store throws in
      let stores = try store.object(of: Store.self)
      #expect(stores.map(\.name) == ["a", "b"])
      #expect(stores.map(\.number) == [1, 2])
      #expect(stores[1].head?.name == "a")
      #expect(stores[0].branches.map(\.name) == ["b", "b"])
      #expect(stores[0].goods.map(\.number).sorted() == [1, 2])
    }
    try scratch.using { store throws in
      let streets = try store.object(of: Later.Street.self)
      #expect(streets.map { $0.shops.map(\.name) } == [["a", "b"]])
      #expect(streets.map { $0.first?.name } == ["a"])
    }
    try scratch.expectAsNew(Later.Street.self, Store.self)
    let names = try scratch.raw().texts("SELECT name FROM sqlite_master WHERE name GLOB '*Shop*'")
    #expect(names == [])
  }

  @Test func aTypeThatRefersToARenamedOneRenamesItsTable() throws {
    try make()
    try scratch.using { store throws in
      let streets = try store.object(of: Later.Street.self)
      #expect(streets.map { $0.shops.map(\.name) } == [["a", "b"]])
      // The rules apply under the new name.
      let error = #expect(throws: MagicError.self) { try store.remove(streets[0].shops[0]) }
      #expect(error?.code == .stillReferenced)
      streets[0].first = nil
      try store.update(streets[0])
      try store.remove(streets[0])
      #expect(try store.object(of: Store.self).isEmpty)
      #expect(try store.object(of: Leaf.self).isEmpty)
      // Nor is a row ID assigned again.
      let new = Store("c")
      #expect(try store.update(new).rawValue == 3)
      #expect(new.number == 3)
    }
    try scratch.expectAsNew(Later.Street.self, Store.self)
  }

  @Test func aRenamedTypeMayHaveOtherChangesToo() throws {
    struct Outlet: MagicObject {
      static var wasNamed: [String] { ["Shop"] }
      @PrimaryMagicValue(.wasNamed("number")) var id: String
      @OptionMagicValue(.wasNamed("name")) var title: String?
      @MagicValue(.wasNamed("head")) var heads: [Outlet] = []
      @MagicValue var branches: [Outlet] = []
      @MagicValue(.wasNamed("goods")) var things: [Leaf] = []
      @MagicValue var size = 3
    }
    try make()
    try scratch.raw().execute("DROP TABLE Street; DROP TABLE \"magic_Street.shops\"")
    try scratch.raw().execute("DELETE FROM magic_catalogue WHERE table_name = 'Street'")
    try scratch.raw().execute("DELETE FROM magic_columns WHERE table_name = 'Street'")
    try scratch.raw().execute("DELETE FROM magic_relationships WHERE owner_table = 'Street'")
    try scratch.migrating(to: Outlet.self) { store, outlets throws in
      #expect(outlets.map(\.id) == ["1", "2"])
      #expect(outlets.map(\.title) == ["a", "b"])
      #expect(outlets[1].heads.map(\.id) == ["1"])
      #expect(outlets[0].branches.map(\.id) == ["2", "2"])
      #expect(outlets[0].things.map(\.number).sorted() == [1, 2])
      #expect(outlets.map(\.size) == [3, 3])
      try store.remove(outlets[1])
      #expect(try store.object(of: Outlet.self).map(\.branches.count) == [0])
    }
  }

  @Test func theOldTableIsNotChangedIfBothExist() throws {
    try make()
    try scratch.raw().execute("CREATE TABLE other (x)")
    enum Both {
      struct Store: MagicObject {
        @PrimaryMagicValue var number: Int
        @MagicValue(.indexed) var name: String
        @OptionMagicValue var head: Store?
        @MagicValue var branches: [Store] = []
        @MagicValue(.onDelete(.cascade)) var goods: MagicalSet<Leaf> = []
      }
    }
    try scratch.using { store throws in
      let new = Both.Store()
      new.name = "new"
      try store.update(new)
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Store.self).map(\.name) == ["new"])
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Shop.self).map(\.name) == ["a", "b"])
    }
  }

  @Test func aTableOfAnotherProgramIsNotRenamed() throws {
    try scratch.using { store in try store.update(Note("n")) }
    try scratch.raw().execute(
      "CREATE TABLE Shop (z_index INTEGER PRIMARY KEY, name TEXT); INSERT INTO Shop VALUES (1, 'x')"
    )
    try scratch.using { store throws in
      #expect(try store.object(of: Store.self).isEmpty)
      try store.update(Store("a"))
      #expect(try store.object(of: Store.self).map(\.name) == ["a"])
    }
    #expect(try scratch.raw().texts("SELECT name FROM Shop") == ["x"])
    try scratch.expectAsNew(Store.self)
  }

  @Test func aProgramThatDeclaresBothNamesIsRefused() throws {
    try make()
    try scratch.using { store throws in
      #expect(try store.object(of: Shop.self).count == 2)
      let error = #expect(throws: MagicError.self) { try store.object(of: Store.self) }
      #expect(error?.code == .tableConflict)
      #expect(error?.message.contains("Shop") == true)
      #expect(try store.object(of: Shop.self).count == 2)
    }
    try scratch.expectAsNew(Street.self, Shop.self)
  }

  @Test func aRefusedRenamingKeepsTheOldName() throws {
    struct Outlet: MagicObject {
      static var wasNamed: [String] { ["Shop"] }
      @PrimaryMagicValue var number: Int
      @MagicValue var must: String
    }
    try make()
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Outlet.self) }
      #expect(error?.code == .needsMigration)
      #expect(try store.object(of: Shop.self).count == 2)
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func aRolledBackRenamingKeepsTheOldName() throws {
    struct Stopped: Error {}
    try make()
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      for _ in 0..<2 {
        #expect(throws: Stopped.self) {
          try store.transaction { transaction throws in
            #expect(try transaction.object(of: Store.self).map(\.name) == ["a", "b"])
            try transaction.update(Store("c"))
            throw Stopped()
          }
        }
        #expect(try scratch.raw().dump() == before)
      }
      #expect(try store.object(of: Store.self).map(\.name) == ["a", "b"])
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Later.Street.self).map(\.shops.count) == [2])
    }
    try scratch.expectAsNew(Later.Street.self, Store.self)
  }

  @Test func aFormerNameThatEqualsTheNameIsRefused() throws {
    struct Same: MagicObject {
      static var wasNamed: [String] { ["SAME"] }
      @MagicValue var name = ""
    }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Same.self) }
      #expect(error?.code == .invalidSchema)
    }
  }

  @Test func thePlanShowsTheNewNameAndChangesNothing() throws {
    try make()
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Later.Street.self)
      #expect(plan.steps.first?.summary == "the table Shop is renamed to Store")
      #expect(plan.kind == .additive)
      #expect(plan.refused.isEmpty)
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func indexesAndTriggersOfAnotherProgramAreKept() throws {
    try make()
    try scratch.raw().execute(
      """
      CREATE INDEX mine ON Shop (name DESC);
      CREATE VIEW names AS SELECT name FROM Shop ORDER BY name;
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER noting AFTER UPDATE ON Shop BEGIN INSERT INTO log VALUES (NEW.name); END
      """)
    try scratch.using { store throws in
      let stores = try store.object(of: Store.self)
      stores[0].name = "z"
      try store.update(stores[0])
    }
    let connection = try scratch.raw()
    #expect(try connection.texts("SELECT name FROM names") == ["b", "z"])
    #expect(try connection.texts("SELECT text FROM log") == ["z"])
    #expect(
      try connection.texts("SELECT tbl_name FROM sqlite_master WHERE name = 'mine'") == ["Store"])
  }
}
