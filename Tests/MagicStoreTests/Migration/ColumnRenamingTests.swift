import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import TestModels
import Testing

/// Properties whose names differ from those of their columns.
@Suite struct ColumnRenamingTests {
  let scratch = Scratch()

  /// A file with three objects of the first version.
  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Old.Item(name: $0) })
    }
  }

  @Test func aRenamedColumnKeepsItsValues() throws {
    try makeOld()
    try scratch.migrating(to: Renamed.Item.self) { store, items throws in
      #expect(items.map(\.title) == ["a", "b", "c"])
      items[0].title = "changed"
      try store.update(items[0])
    }
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Item')")
        == ["z_index", "title", "size"])
    try scratch.using { store throws in
      #expect(try store.object(of: Renamed.Item.self).map(\.title) == ["changed", "b", "c"])
    }
  }

  @Test func aColumnIsFoundUnderAnyOfItsFormerNames() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue(.wasNamed("label"), .wasNamed("name")) var title: String
        @OptionMagicValue(.wasNamed("size"), .wasNamed("length")) var width: Int?
      }
    }
    try makeOld()
    try scratch.migrating(to: New.Item.self) { _, items throws in
      #expect(items.map(\.title) == ["a", "b", "c"])
      #expect(items.map(\.width) == [1, 1, 1])
    }
  }

  @Test func aRenamedColumnMayHaveOtherChangesToo() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue(.indexed, .wasNamed("name")) var title: Data
        @MagicValue(.unique, .wasNamed("size")) var width: String
      }
    }
    try scratch.using { store throws in
      for (name, size) in [("a", 1), ("b", 2)] {
        let item = Old.Item(name: name)
        item.size = size
        try store.update(item)
      }
    }
    try scratch.migrating(to: New.Item.self) { _, items throws in
      #expect(items.map(\.title) == [Data("a".utf8), Data("b".utf8)])
      #expect(items.map(\.width) == ["1", "2"])
    }
  }

  @Test func aRenamedColumnOfAnotherTypeIsReplacedIfItHasNoValues() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue(.wasNamed("size")) var next: Item?
      }
    }
    try scratch.using { store throws in
      let item = Old.Item(name: "a")
      item.size = nil
      try store.update(item)
    }
    try scratch.migrating(to: New.Item.self) { store, items throws in
      items[0].next = items[0]
      try store.update(items[0])
      #expect(try store.object(of: New.Item.self)[0].next?.name == "a")
    }
  }

  @Test func theErrorOfARenamedColumnOfAnotherTypeHasItsFormerName() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue(.wasNamed("size")) var next: Item?
      }
    }
    try makeOld()
    try scratch.expectNoMigration(
      to: New.Item.self, property: "next", naming: ["size", ".deleteValue(name: \"size\")"])
  }

  @Test func aFormerNameThatAnotherPropertyHasNowRenamesNothing() throws {
    try makeOld()
    try scratch.migrating(to: Reused.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.map(\.title) == ["?", "?", "?"])
    }
  }

  @Test func twoColumnsInExchangedOrderKeepTheirNames() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue(.wasNamed("size")) var name: String
        @OptionMagicValue(.wasNamed("name")) var size: Int?
      }
    }
    try makeOld()
    try scratch.migrating(to: New.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.map(\.size) == [1, 1, 1])
    }
  }

  @Test func aNameThatDiffersOnlyInCaseIsTheSameColumn() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var Name: String
        @OptionMagicValue var SIZE: Int?
        @OptionMagicValue var extra: Int?
      }
    }
    try makeOld()
    try scratch.using { store throws in
      let items = try store.object(of: New.Item.self)
      #expect(items.map(\.Name) == ["a", "b", "c"])
      items[0].Name = "changed"
      try store.update(items[0])
      #expect(try store.object(of: New.Item.self).map(\.Name) == ["changed", "b", "c"])
      #expect(try store.verify().findings == [])
    }
  }

  @Test func namesThatDifferInTheCaseOfNonASCIILettersAreDifferentColumns() throws {
    enum Sooner {
      struct Thing: MagicObject { @MagicValue(.named("größe É")) var size = 1 }
    }
    enum Later {
      struct Thing: MagicObject {
        @MagicValue(.named("größe é"), .wasNamed("größe É")) var size = 5
      }
    }
    try scratch.using { store in try store.update(Sooner.Thing()) }
    try scratch.migrating(to: Later.Thing.self) { store, things throws in
      #expect(things.map(\.size) == [1])
      things[0].size = 2
      try store.update(things[0])
      #expect(try store.object(of: Later.Thing.self).map(\.size) == [2])
    }
  }

  @Test func namesWithDifferentBytesAreDifferentColumns() throws {
    enum Sooner {
      struct Thing: MagicObject { @MagicValue(.named("caf\u{E9}")) var size = 1 }
    }
    enum Later {
      struct Thing: MagicObject {
        @MagicValue(.named("cafe\u{301}"), .wasNamed("caf\u{E9}")) var size = 5
      }
    }
    try scratch.using { store in try store.update(Sooner.Thing()) }
    try scratch.migrating(to: Later.Thing.self) { store, things throws in
      #expect(things.map(\.size) == [1])
      try store.update(Later.Thing())
    }
  }

  @Test func theNewNameHasPrecedenceIfTheFileHasBothColumns() throws {
    enum Both {
      struct Item: MagicObject {
        @MagicValue var name: String
        @MagicValue var title: String
        @OptionMagicValue var size: Int?
      }
    }
    try scratch.using { store throws in
      let item = Both.Item()
      (item.name, item.title) = ("old", "new")
      try store.update(item)
    }
    // The values under the old name are not dropped without an error.
    try scratch.expectNoMigration(to: Renamed.Item.self, naming: ["name is dropped"])
    enum Declared {
      struct Item: MagicObject {
        @MagicValue(.wasNamed("name")) var title: String
        @OptionMagicValue var size: Int?
        static var migrations: Migrations {
          Migrations { MigrationStep { [.deleteValue(name: "name")] } }
        }
      }
    }
    try scratch.migrating(to: Declared.Item.self) { _, items throws in
      #expect(items.map(\.title) == ["new"])
    }
  }

  @Test func twoPropertiesWithOneFormerNameAreRefused() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue(.wasNamed("name")) var title: String
        @MagicValue(.wasNamed("NAME")) var label: String
      }
    }
    try makeOld()
    try scratch.expectNoMigration(
      to: New.Item.self, .invalidSchema, property: "label", naming: ["title"])
  }

  @Test func namesThatSQLiteWouldMisreadAreMigrated() throws {
    enum Sooner {
      struct Thing: MagicObject {
        static var tableName: String { "a \"b\" 'c' 🙂.select" }
        @MagicValue(.named("col \"1\" ' 🙂"), .indexed) var one = 1
        @MagicValue(.named("group"), .unique) var two = "x"
        @MagicValue(.named("se t.🙂")) var things: [Note] = []
      }
    }
    enum Later {
      struct Thing: MagicObject {
        static var tableName: String { "new 🙂 \"b\" 'c'.from" }
        static var wasNamed: [String] { ["a \"b\" 'c' 🙂.select"] }
        @MagicValue(.named("?1 \"x\" 'y' 😀"), .wasNamed("col \"1\" ' 🙂"), .indexed) var one: String
        @OptionMagicValue(.named("order"), .wasNamed("group")) var two: String?
        @MagicValue(.named("li.st \"🙂\""), .wasNamed("se t.🙂"), .onDelete(.cascade))
        var things: [Note] = []
      }
    }
    try scratch.using { store throws in
      let thing = Sooner.Thing()
      thing.things = [Note("n")]
      try store.update(thing)
    }
    try scratch.migrating(to: Later.Thing.self) { store, things throws in
      #expect(things.map(\.one) == ["1"])
      #expect(things.map(\.two) == ["x"])
      #expect(things[0].things.map(\.text) == ["n"])
      things[0].two = nil
      try store.update(things[0])
      try store.remove(things[0])
      #expect(try store.object(of: Note.self).isEmpty)
    }
  }
}
