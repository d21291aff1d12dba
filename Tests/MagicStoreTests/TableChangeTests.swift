import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import Magical
import Testing

/// A file whose tables an older program made. The types of one test stand for the versions of one
/// type.
@Suite struct TableChangeTests {
  let scratch = Scratch()

  /// A file with three objects of the first version.
  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Old.Item(name: $0) })
    }
  }

  private func expectRefusal<Model: MagicObject>(
    of type: Model.Type, saving object: Model, property: String?,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try makeOld()
    let definitions = try scratch.raw().definitions(of: "Item")
    let entries = try scratch.raw().texts("SELECT type_name || fingerprint FROM magic_catalogue")
    try scratch.using { store throws in
      for call in [{ _ = try store.object(of: type) }, { _ = try store.update(object) }] {
        let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
        #expect(error?.code == .needsMigration, sourceLocation: location)
        #expect(error?.property == property, sourceLocation: location)
      }
    }
    #expect(object.zIndex == nil, sourceLocation: location)
    let connection = try scratch.raw()
    #expect(try connection.definitions(of: "Item") == definitions, sourceLocation: location)
    #expect(
      try connection.texts("SELECT type_name || fingerprint FROM magic_catalogue") == entries,
      sourceLocation: location)
    connection.close()
    try scratch.using { store throws in
      #expect(
        try store.object(of: Old.Item.self).map(\.name) == ["a", "b", "c"],
        sourceLocation: location)
    }
  }

  @Test func newColumnsAreAddedWithTheirDefaults() throws {
    try makeOld()
    try scratch.using { store throws in
      // A read is enough.
      let items = try store.object(of: Added.Item.self)
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.allSatisfy { $0.note == nil && $0.count == 7 && $0.text == "it's" })
      #expect(items.allSatisfy { $0.real == 2.5 && $0.bytes == Data([1, 0xAB]) && $0.isNew })
      items[1].note = "set"
      items[1].count = 8
      try store.update(items[1])
      try store.update(Added.Item(name: "d"))
    }
    try scratch.using { store throws in
      let items = try store.object(of: Added.Item.self)
      #expect(items.map(\.name) == ["a", "b", "c", "d"])
      #expect(items.map(\.count) == [7, 8, 7, 7])
      #expect(items.map(\.note) == [nil, "set", nil, nil])
    }
  }

  @Test func theFirstWriteAddsColumnsToo() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.update(Added.Item(name: "d"))
      #expect(try store.object(of: Added.Item.self).map(\.count) == [7, 7, 7, 7])
    }
  }

  @Test func aNewIndexIsMade() throws {
    try makeOld()
    try scratch.using { store in _ = try store.object(of: Indexed.Item.self) }
    let definitions = try scratch.raw().definitions(of: "Item")
    #expect(definitions.contains { $0.hasPrefix("CREATE INDEX") && $0.hasSuffix(#"("name")"#) })
    try scratch.using { store throws in
      #expect(try store.object(of: Indexed.Item.self).map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func aNewUniqueIndexThatTheRowsBreakIsRefused() throws {
    try makeOld()
    try scratch.using { store in try store.update(Old.Item(name: "a")) }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Unique.Item.self) }
      #expect([.notUnique, .needsMigration].contains(error?.code))
      #expect("\(error as Any)".contains("Item"))
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Old.Item.self).map(\.name) == ["a", "b", "c", "a"])
    }
  }

  @Test func aUniqueIndexThatTheTypeHasNoMoreDoesNotBindItInSilence() throws {
    try scratch.using { store throws in
      for name in ["a", "b"] {
        let item = Unique.Item()
        item.name = name
        try store.update(item)
      }
    }
    try scratch.using { store throws in
      do {
        try store.update(Old.Item(name: "a"))
        #expect(try store.object(of: Old.Item.self).map(\.name) == ["a", "b", "a"])
      } catch let error as MagicError {
        #expect(error.code == .needsMigration)
      }
    }
  }

  @Test func aRenamedColumnKeepsItsValues() throws {
    try makeOld()
    try scratch.using { store throws in
      let items = try store.object(of: Renamed.Item.self)
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

  @Test func theDefaultOfANewColumnIsExactInRowsThatWereThere() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.update(Precise.Item(name: "d"))
      let reals = try store.object(of: Precise.Item.self).map(\.real.bitPattern)
      #expect(reals == Array(repeating: hardToRead.bitPattern, count: 4))
    }
  }

  @Test func aFormerNameThatAnotherPropertyHasNowRenamesNothing() throws {
    try makeOld()
    try scratch.using { store throws in
      let items = try store.object(of: Reused.Item.self)
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.map(\.title) == ["?", "?", "?"])
    }
  }

  @Test func propertiesInAnotherOrderAreTheSameTable() throws {
    try makeOld()
    try scratch.using { store throws in
      #expect(try store.object(of: Reordered.Item.self).map(\.name) == ["a", "b", "c"])
      try store.update(Reordered.Item(name: "d"))
      #expect(try store.object(of: Reordered.Item.self).map(\.size) == [1, 1, 1, 2])
    }
  }

  @Test func aRequiredColumnWithoutADefaultNeedsAMigration() throws {
    let item = Required.Item()
    (item.name, item.must) = ("d", "x")
    try expectRefusal(of: Required.Item.self, saving: item, property: "must")
  }

  @Test func aDroppedColumnNeedsAMigration() throws {
    let item = Dropped.Item()
    item.name = "d"
    try expectRefusal(of: Dropped.Item.self, saving: item, property: nil)
  }

  @Test func anOptionalColumnThatBecomesRequiredNeedsAMigration() throws {
    let item = Stricter.Item()
    (item.name, item.size) = ("d", 1)
    try expectRefusal(of: Stricter.Item.self, saving: item, property: "size")
  }

  @Test func aRequiredColumnThatBecomesOptionalNeedsAMigration() throws {
    try expectRefusal(of: Looser.Item.self, saving: Looser.Item(), property: "name")
  }

  @Test func aColumnOfAnotherTypeNeedsAMigration() throws {
    let item = Retyped.Item()
    item.name = 5
    try expectRefusal(of: Retyped.Item.self, saving: item, property: "name")
  }

  @Test func aReadOnlyDatabaseReadsMissingColumnsAsTheirDefaults() throws {
    try makeOld()
    let before = scratch.withoutEmptyLog
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      let items = try store.object(of: Added.Item.self)
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.allSatisfy { $0.note == nil && $0.count == 7 && $0.text == "it's" })
      #expect(items.allSatisfy { $0.real == 2.5 && $0.bytes == Data([1, 0xAB]) && $0.isNew })
    }
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Renamed.Item.self).map(\.title) == ["a", "b", "c"])
    }
    #expect(scratch.withoutEmptyLog == before)
  }

  @Test func aReadOnlyDatabaseWithoutARequiredColumnNeedsAMigration() throws {
    try makeOld()
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Required.Item.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.property == "must")
    }
  }

  @Test func aChangeIsOneTransaction() throws {
    try makeOld()
    let recorder = Recorder()
    try scratch.using(StoreOptions(trace: recorder.note)) { store throws in
      recorder.clear()
      _ = try store.object(of: Added.Item.self)
    }
    let lines = recorder.all
    let begins = lines.filter { $0.hasPrefix("BEGIN IMMEDIATE") }
    #expect(begins.count == 1)
    let commit = lines.firstIndex { $0.hasPrefix("COMMIT") } ?? 0
    #expect(lines.lastIndex { $0.hasPrefix("ALTER TABLE") } ?? .max < commit)
  }
}
