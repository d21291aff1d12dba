import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Migration plans: the operations, without executing them.
@Suite struct PlanTests {
  let scratch = Scratch()

  private func makeOld(_ count: Int = 3) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<count).map { Old.Item(name: "\($0)") })
    }
  }

  private func plan<Model: MagicObject>(_ type: Model.Type) throws -> MagicMigrationPlan {
    let before = try scratch.raw().dump()
    let plan = try scratch.using { store throws in try store.migrationPlan(for: type) }
    #expect(try scratch.raw().dump() == before)
    return plan
  }

  @Test func aTypeWithoutATableNeedsNothing() throws {
    try scratch.using { store in try store.update(Note("n")) }
    let plan = try plan(Old.Item.self)
    #expect(plan.isEmpty)
    #expect(plan.kind == nil)
    #expect(plan.description == "nothing to do")
  }

  @Test func anEmptyFileNeedsNothing() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    #expect(try store.migrationPlan(for: Old.Item.self).isEmpty)
    #expect(try store.migrate(Old.Item.self).isEmpty)
  }

  @Test func aTableThatMatchesItsTypeNeedsNothing() throws {
    try makeOld()
    #expect(try plan(Old.Item.self).isEmpty)
    try scratch.using { store throws in
      #expect(try store.migrate(Added.Item.self).isEmpty == false)
      #expect(try store.migrationPlan(for: Added.Item.self).isEmpty)
      #expect(try store.migrate(Added.Item.self).isEmpty)
    }
  }

  @Test func addedColumnsAreAdditive() throws {
    try makeOld()
    let plan = try plan(Added.Item.self)
    #expect(plan.steps.map(\.kind) == Array(repeating: .additive, count: 6) + [.rewriting])
    #expect(plan.steps.map(\.property).first == "note")
    #expect(plan.refused.isEmpty)
    #expect(
      plan.steps[1].sql
        == [#"ALTER TABLE "Item" ADD COLUMN "count" INTEGER NOT NULL DEFAULT 7"#])
    // A required real is stored in the existing rows.
    #expect(plan.steps[6].property == "real")
    #expect(plan.steps[6].summary == "existing rows get the default of real")
    #expect(plan.steps[6].sql == [#"UPDATE "Item" SET "real" = 2.5"#])
  }

  @Test func indexesAndRenamedColumnsAreAdditive() throws {
    try makeOld()
    #expect(try plan(Indexed.Item.self).kind == .additive)
    let renamed = try plan(Renamed.Item.self)
    #expect(renamed.kind == .additive)
    #expect(renamed.steps.map(\.summary) == ["name is renamed to title"])
  }

  @Test func aRebuiltTableIsRewriting() throws {
    try makeOld()
    let plan = try plan(Looser.Item.self)
    #expect(plan.kind == .rewriting)
    #expect(plan.steps.count == 1)
    #expect(plan.steps[0].property == "name")
    #expect(plan.steps[0].sql.contains(#"DROP TABLE "Item""#))
    #expect(plan.description.hasPrefix("1. rewriting: Item: the table is rebuilt: "))
  }

  @Test func aLossOfValuesIsMarkedAndRefused() throws {
    try makeOld()
    let plan = try plan(Dropped.Item.self)
    #expect(plan.kind == .destroying)
    #expect(plan.refused.count == 1)
    #expect(plan.description.contains("\n  refused: "))
  }

  @Test func withoutRowsNoValueIsLost() throws {
    try makeOld(0)
    try scratch.using { store throws in
      try store.update(Old.Item(name: "x"))
      try store.removeAll(of: Old.Item.self)
    }
    let plan = try plan(Dropped.Item.self)
    #expect(plan.kind == .rewriting)
    #expect(plan.refused.isEmpty)
  }

  /// The SQL of a plan, run by another tool, has the same result as the migration by the library.
  private func expectSame<Model: MagicObject>(
    _ type: Model.Type, at location: SourceLocation = #_sourceLocation
  ) throws {
    let plan = try plan(type)
    let other = Scratch()
    try FileManager.default.copyItem(atPath: scratch.file(), toPath: other.file())
    let connection = try other.raw()
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
    for sql in plan.steps.flatMap(\.sql) {
      try connection.execute(
        sql.replacingOccurrences(of: "?1", with: "(-1 << 63)")
          .replacingOccurrences(of: "?2", with: "-1"))
    }
    try scratch.using { store throws in _ = try store.object(of: type) }
    let isOfTypes = { (line: String) in !line.hasPrefix("magic_") }
    #expect(
      try connection.dump().filter(isOfTypes) == scratch.raw().dump().filter(isOfTypes),
      sourceLocation: location)
  }

  @Test func theSQLOfAddedColumnsDoesWhatTheLibraryDoes() throws {
    try makeOld()
    try expectSame(Added.Item.self)
  }

  @Test func theSQLOfARebuildDoesWhatTheLibraryDoes() throws {
    try makeOld()
    try expectSame(Looser.Item.self)
  }

  @Test func theSQLOfARenamedColumnDoesWhatTheLibraryDoes() throws {
    try makeOld()
    try expectSame(Renamed.Item.self)
  }

  @Test func theSQLOfChangedRelationshipsDoesWhatTheLibraryDoes() throws {
    try scratch.using { store throws in
      let tree = Whole.Tree("a")
      tree.list = [Needle("1"), Needle("2")]
      try store.update(tree)
    }
    try expectSame(Other.Kind.Tree.self)
  }

  // MARK: Several types

  private enum Changed {
    struct Note: MagicObject {
      @OptionMagicValue var text: String?
      @OptionMagicValue var stars: Int?
    }
  }

  @Test func severalTypesAreMigratedAtOnce() throws {
    try makeOld()
    try scratch.using { store in try store.update(Note("n")) }
    try scratch.using { store throws in
      let plan = try store.migrate(Looser.Item.self, Changed.Note.self)
      #expect(plan.steps.map(\.type) == ["Item", "Note"])
    }
    try scratch.expectAsNew(Looser.Item.self, Changed.Note.self)
  }

  @Test func ifOneTypeIsRefusedNoneIsMigrated() throws {
    try makeOld()
    try scratch.using { store in try store.update(Note("n")) }
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      for _ in 0..<2 {
        let error = #expect(throws: MagicError.self) {
          try store.migrate(Changed.Note.self, Dropped.Item.self)
        }
        #expect(error?.code == .needsMigration)
        #expect(error?.type == "Item")
        #expect(error?.plan?.steps.count == 2)
      }
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func ifTheRowsOfOneTypeViolateAConstraintNoneIsMigrated() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.update(Note("n"))
      try store.update(Old.Item(name: "0"))
    }
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) {
        try store.migrate(Changed.Note.self, Unique.Item.self)
      }
      #expect(error?.code == .notUnique)
      // The types can be used without migration.
      #expect(try store.object(of: Note.self).map(\.text) == ["n"])
      #expect(try store.object(of: Old.Item.self).count == 4)
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func referencedTypesAreMigratedWithTheirOwner() throws {
    enum Later {
      struct Needle: MagicObject { @OptionMagicValue var text: String? }
      struct Tree: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var leaf: Needle?
        @MagicValue var list: [Needle] = []
        @MagicValue var size = 1
      }
    }
    try scratch.using { store throws in
      let tree = Whole.Tree("a")
      tree.list = [Needle("1")]
      try store.update(tree)
      tree.set = []
      try store.update(tree)
    }
    try scratch.using { store throws in
      let plan = try store.migrate(Later.Tree.self)
      #expect(Set(plan.steps.map(\.type)) == ["Tree", "Needle"])
      #expect(try store.object(of: Later.Tree.self)[0].list.map(\.text) == ["1"])
    }
    try scratch.expectAsNew(Later.Tree.self, Later.Needle.self)
  }

  @Test func typesOfACycleAreMigratedTogether() throws {
    enum Sooner {
      struct Hen: MagicObject {
        @MagicValue var name = "hen"
        @MagicValue var eggs: [Egg] = []
      }
      struct Egg: MagicObject {
        @MagicValue var size = 1
        @OptionMagicValue var mother: Hen?
        @OptionMagicValue var becomes: Hen?
      }
    }
    enum Later {
      struct Hen: MagicObject {
        @OptionMagicValue var name: String?
        @MagicValue(.onDelete(.cascade)) var eggs: [Egg] = []
      }
      struct Egg: MagicObject {
        @MagicValue var size: String
        @OptionMagicValue(.onDelete(.cascade)) var mother: Hen?
        @MagicValue var becomes: [Hen] = []
      }
    }
    try scratch.using { store throws in
      let (hen, egg) = (Sooner.Hen(), Sooner.Egg())
      (hen.eggs, egg.mother, egg.becomes) = ([egg, Sooner.Egg()], hen, Sooner.Hen())
      try store.update(hen)
    }
    try scratch.using { store throws in
      let hens = try store.object(of: Later.Hen.self)
      #expect(hens.map(\.eggs.count) == [2, 0])
      let egg = hens[0].eggs[0]
      #expect(egg.size == "1")
      #expect(egg.mother?.zIndex == hens[0].zIndex)
      #expect(egg.becomes.map(\.zIndex) == [hens[1].zIndex])
    }
    try scratch.expectAsNew(Later.Hen.self, Later.Egg.self)
    try scratch.using { store throws in
      try store.remove(store.object(of: Later.Hen.self)[0])
      #expect(try store.object(of: Later.Egg.self).isEmpty)
      #expect(try store.object(of: Later.Hen.self).count == 1)
    }
  }

  // MARK: Invalid declarations

  private enum Down {
    struct Item: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var size: Int?
      static var migrations: Migrations {
        Migrations {
          MigrationStep(7) { [.convertValue(name: "size")] }
          MigrationStep(3) { [.convertValue(name: "name")] }
        }
      }
    }
  }

  private enum Zero {
    struct Item: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var size: Int?
      static var migrations: Migrations {
        Migrations { MigrationStep(0) { [.convertValue(name: "size")] } }
      }
    }
  }

  private enum Twice {
    struct Item: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var size: Int?
      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.renameValue(name: "size", to: "x"), .deleteValue(name: "SIZE")] }
        }
      }
    }
  }

  private enum ZIndexed {
    struct Item: MagicObject {
      @MagicValue var name: String
      static var migrations: Migrations {
        Migrations { MigrationStep { [.deleteValue(name: "Z_Index")] } }
      }
    }
  }

  @Test func decreasingVersionsAreRefused() throws {
    try makeOld()
    try scratch.expectNoMigration(to: Down.Item.self, .invalidMigration, naming: ["3", "7"])
    try scratch.expectNoMigration(to: Zero.Item.self, .invalidMigration, naming: ["0"])
  }

  @Test func aStepThatContradictsItselfIsRefused() throws {
    try makeOld()
    try scratch.expectNoMigration(
      to: Twice.Item.self, .invalidMigration, naming: ["step 1", "SIZE"])
    try scratch.expectNoMigration(to: ZIndexed.Item.self, .invalidMigration, naming: ["z_index"])
  }
}
