import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import SQLiteStore
import Testing

/// Properties that are added, dropped and renamed. The types of one test represent the versions of
/// one type.
@Suite struct ColumnChangeTests {
  let scratch = Scratch()

  /// A file with three objects of the first version.
  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Old.Item(name: $0) })
    }
  }

  // MARK: Added

  @Test func newColumnsAreAddedWithTheirDefaults() throws {
    try makeOld()
    // A read is enough.
    try scratch.migrating(to: Added.Item.self) { store, items throws in
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
    try scratch.expectAsNew(Added.Item.self)
  }

  @Test func theDefaultOfANewColumnIsExactInExistingRows() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.update(Precise.Item(name: "d"))
      let reals = try store.object(of: Precise.Item.self).map(\.real.bitPattern)
      #expect(reals == Array(repeating: hardToRead.bitPattern, count: 4))
    }
    try scratch.expectAsNew(Precise.Item.self)
  }

  @Test func addedRealsAreStoredInOnePassThatFiresNoTrigger() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
        @MagicValue var height = 1.5
        @MagicValue var zero = -0.0
        @MagicValue(.indexed) var infinite = Double.infinity
        @OptionMagicValue var width: Double? = 2.5
      }
    }
    try makeOld()
    try scratch.raw().execute(
      """
      CREATE TRIGGER frozen BEFORE UPDATE ON Item BEGIN SELECT RAISE(ABORT, 'frozen'); END;
      """)
    let recorder = Recorder<String>()
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
      let items = try store.object(of: New.Item.self)
      #expect(items.map(\.height) == [1.5, 1.5, 1.5])
      #expect(items.allSatisfy { $0.zero.bitPattern == (-0.0).bitPattern })
      #expect(items.allSatisfy { $0.infinite == .infinity && $0.width == 2.5 })
      items[0].name = "changed"
      let error = #expect(throws: MagicError.self) { try store.update(items[0]) }
      #expect(error?.code == .constraint)
    }
    #expect(
      recorder.all.filter { $0.hasPrefix("UPDATE \"Item\"") }.first
        == #"UPDATE "Item" SET "height" = 1.5, "zero" = (0.0 * -1.0), "infinite" = 9e999"#)
    #expect(try scratch.raw().texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func theDefaultOfANewColumnIsExactAfterARebuild() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @MagicValue var size = 0
        @MagicValue var real = hardToRead
        @MagicValue var zero = -0.0
        @MagicValue var huge = Double.infinity
        @MagicValue var tiny = Double.leastNonzeroMagnitude
        @MagicValue var text = "a\0b"
        @MagicValue var empty = ""
        @MagicValue var none = Data()
      }
    }
    try makeOld()
    try scratch.migrating(to: New.Item.self) { _, items throws in
      for item in items {
        #expect(item.real.bitPattern == hardToRead.bitPattern)
        #expect(item.zero.bitPattern == (-0.0).bitPattern)
        #expect(item.huge == .infinity)
        #expect(item.tiny.bitPattern == 1)
        #expect(item.text == "a\0b")
        #expect(item.empty.isEmpty && item.none.isEmpty)
      }
    }
  }

  @Test func aDefaultThatCannotBeStoredIsAnErrorThatNamesTheProperty() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
        @MagicValue var ratio = Double.nan
      }
    }
    try makeOld()
    try scratch.expectNoMigration(
      to: New.Item.self, .cannotEncode, property: "ratio", naming: ["Item", "ratio"])
  }

  @Test func aRequiredColumnWithoutADefaultIsRefused() throws {
    try makeOld()
    try scratch.expectNoMigration(
      to: Required.Item.self, property: "must", naming: ["Item", "must", "default"])
  }

  @Test func aRequiredColumnWithoutADefaultIsAddedToAnEmptyTable() throws {
    try makeOld()
    try scratch.using { store in try store.removeAll(of: Old.Item.self) }
    try scratch.migrating(to: Required.Item.self) { store, items throws in
      #expect(items.isEmpty)
      let item = Required.Item()
      (item.name, item.must) = ("d", "x")
      // The row IDs of the three removed rows are not assigned again.
      #expect(try store.update(item).rawValue == 4)
    }
  }

  @Test func aHundredColumnsAreAddedAtOnce() throws {
    enum Sooner {
      struct Wide: MagicObject { @OptionMagicValue var c001: Int? }
    }
    try scratch.using { store throws in
      for number in 1...3 {
        let wide = Sooner.Wide()
        wide.c001 = number
        try store.update(wide)
      }
    }
    try scratch.migrating(to: Wide<Int>.self) { _, rows throws in
      #expect(rows.map(\.c001) == [1, 2, 3])
      #expect(rows.allSatisfy { $0.c002 == nil && $0.c100 == nil })
    }
  }

  // MARK: Dropped

  @Test func aColumnWithValuesIsNotDropped() throws {
    try makeOld()
    let plan = try scratch.expectNoMigration(
      to: Dropped.Item.self, naming: ["size is dropped", "3 rows", ".deleteValue(name: \"size\")"])
    #expect(plan?.kind == .destroying)
  }

  @Test func aColumnWithoutValuesIsDropped() throws {
    try scratch.using { store throws in
      for name in ["a", "b"] {
        let item = Old.Item(name: name)
        item.size = nil
        try store.update(item)
      }
    }
    try scratch.migrating(to: Dropped.Item.self) { store, items throws in
      #expect(items.map(\.name) == ["a", "b"])
      items[0].name = "c"
      try store.update(items[0])
      #expect(try store.object(of: Dropped.Item.self).map(\.name) == ["c", "b"])
    }
  }

  @Test func aColumnOfATableWithoutRowsIsDropped() throws {
    try makeOld()
    try scratch.using { store in try store.removeAll(of: Old.Item.self) }
    try scratch.migrating(to: Dropped.Item.self) { _, items throws in #expect(items.isEmpty) }
  }

  // MARK: As a whole

  @Test func propertiesInAnotherOrderAreTheSameTable() throws {
    try makeOld()
    try scratch.migrating(to: Reordered.Item.self) { store, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
      try store.update(Reordered.Item(name: "d"))
      #expect(try store.object(of: Reordered.Item.self).map(\.size) == [1, 1, 1, 2])
    }
  }

  @Test func anEmptyColumnThatAnotherProgramHasAddedIsDropped() throws {
    try makeOld()
    try scratch.raw().execute("ALTER TABLE Item ADD COLUMN mine TEXT")
    try scratch.migrating(to: Added.Item.self) { _, items throws in #expect(items.count == 3) }
  }

  @Test func aColumnThatAnotherProgramHasAddedIsNotDroppedWithItsValues() throws {
    try makeOld()
    try scratch.raw().execute(
      "ALTER TABLE Item ADD COLUMN mine TEXT; UPDATE Item SET mine = 'x' WHERE name = 'b'")
    try scratch.expectNoMigration(to: Added.Item.self, naming: ["mine is dropped", "one row"])
  }

  @Test func twoProgramsThatAlternateLoseNothing() throws {
    try makeOld()
    for round in 0..<3 {
      try scratch.using { store throws in
        #expect(try store.object(of: Looser.Item.self).count == 3 + round)
      }
      try scratch.expectAsNew(Looser.Item.self)
      try scratch.using { store throws in _ = try store.update(Old.Item(name: "\(round)")) }
      try scratch.expectAsNew(Old.Item.self)
    }
    try scratch.using { store throws in
      let items = try store.object(of: Old.Item.self)
      #expect(items.map(\.name) == ["a", "b", "c", "0", "1", "2"])
      #expect(items.map { $0.zIndex?.rawValue } == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func aChangeIsOneTransaction() throws {
    try makeOld()
    let recorder = Recorder<String>()
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
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
