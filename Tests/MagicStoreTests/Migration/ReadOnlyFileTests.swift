import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// A read-only file, read by a later version of the program.
@Suite struct ReadOnlyFileTests {
  let scratch = Scratch()

  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Old.Item(name: $0) })
    }
  }

  private func makePlain() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Plain.Tree($0) })
    }
  }

  private func makeWhole() throws {
    try scratch.using { store throws in
      for name in ["a", "b"] {
        let tree = Whole.Tree(name)
        let leaves = ["1", "2"].map { Needle(name + $0) }
        (tree.leaf, tree.list, tree.set) = (leaves[0], leaves, MagicalSet(leaves))
        tree.named = ["x": leaves[1]]
        try store.update(tree)
      }
    }
  }

  private func expectWhole(at location: SourceLocation = #_sourceLocation) throws {
    try scratch.using { store throws in
      let trees = try store.object(of: Whole.Tree.self)
      #expect(trees.map(\.name) == ["a", "b"], sourceLocation: location)
      #expect(trees.map { $0.leaf?.text } == ["a1", "b1"], sourceLocation: location)
      for tree in trees {
        let texts = [tree.name + "1", tree.name + "2"]
        #expect(tree.list.map(\.text) == texts, sourceLocation: location)
        #expect(tree.set.map(\.text).sorted() == texts, sourceLocation: location)
        #expect(tree.named.mapValues(\.text) == ["x": texts[1]], sourceLocation: location)
      }
    }
  }

  /// The schema of the file.
  private func schema() throws -> [String] {
    let connection = try scratch.raw()
    return try connection.texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
      + connection.texts("SELECT table_name || type_name || fingerprint FROM magic_catalogue")
      + connection.texts(
        "SELECT owner_table || property || kind || target_table || on_delete "
          + "|| ifnull(link_table, '') FROM magic_relationships")
  }

  /// Opens the file read-only, and expects that it is not changed.
  private func reading<Model: MagicObject>(
    _ type: Model.Type, at location: SourceLocation = #_sourceLocation,
    _ body: (MagicObjectStore, [Model]) throws -> Void
  ) throws {
    let before = scratch.contentsWithoutEmptyLogs
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      try body(store, store.object(of: type))
    }
    #expect(scratch.contentsWithoutEmptyLogs == before, sourceLocation: location)
  }

  private func expectRefusal<Model: MagicObject>(
    _ type: Model.Type, property: String?, at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = scratch.contentsWithoutEmptyLogs
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let error = #expect(throws: MagicError.self, sourceLocation: location) {
        try store.object(of: type)
      }
      #expect(error?.code == .needsMigration, "\(error as Any)", sourceLocation: location)
      #expect(error?.property == property, sourceLocation: location)
      #expect(error?.plan != nil, sourceLocation: location)
    }
    #expect(scratch.contentsWithoutEmptyLogs == before, sourceLocation: location)
  }

  // MARK: Columns

  @Test func missingColumnsReadAsTheirDefaults() throws {
    try makeOld()
    try reading(Added.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.allSatisfy { $0.note == nil && $0.count == 7 && $0.text == "it's" })
      #expect(items.allSatisfy { $0.real == 2.5 && $0.bytes == Data([1, 0xAB]) && $0.isNew })
    }
  }

  @Test func aMissingRealReadsAsItsExactDefault() throws {
    try makeOld()
    try reading(Precise.Item.self) { _, items throws in
      #expect(items.allSatisfy { $0.real.bitPattern == hardToRead.bitPattern })
    }
  }

  @Test func aColumnIsReadUnderItsFormerName() throws {
    try makeOld()
    try reading(Renamed.Item.self) { _, items throws in
      #expect(items.map(\.title) == ["a", "b", "c"])
    }
  }

  @Test func columnsThatTheTypeNoLongerHasAreIgnored() throws {
    try makeOld()
    try reading(Dropped.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func aRequiredColumnReadsAsOptional() throws {
    try makeOld()
    try reading(Looser.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func anOptionalColumnWithoutNilReadsAsRequired() throws {
    try makeOld()
    try reading(Stricter.Item.self) { _, items throws in #expect(items.map(\.size) == [1, 1, 1]) }
  }

  @Test func nilReadsAsTheDefaultOfAPropertyThatIsRequiredNow() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @MagicValue var size = 7
      }
    }
    try makeOld()
    try scratch.raw().execute("UPDATE Item SET size = NULL WHERE name = 'b'")
    try reading(New.Item.self) { _, items throws in #expect(items.map(\.size) == [1, 7, 1]) }
  }

  @Test func nilOfAPropertyThatIsRequiredNowNeedsAMigration() throws {
    try makeOld()
    try scratch.raw().execute("UPDATE Item SET size = NULL WHERE name = 'b'")
    try expectRefusal(Stricter.Item.self, property: "size")
  }

  @Test func aRequiredColumnThatIsMissingNeedsAMigration() throws {
    try makeOld()
    try expectRefusal(Required.Item.self, property: "must")
  }

  @Test func aColumnOfAnotherTypeNeedsAMigration() throws {
    enum Texts {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: String?
      }
    }
    try makeOld()
    try expectRefusal(Texts.Item.self, property: "size")
  }

  @Test func integersReadAsReals() throws {
    enum Reals {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Double?
      }
    }
    try makeOld()
    try reading(Reals.Item.self) { _, items throws in #expect(items.map(\.size) == [1, 1, 1]) }
  }

  @Test func aNewPrimaryNeedsAMigration() throws {
    enum Keyed {
      struct Item: MagicObject {
        @PrimaryMagicValue var id: Int
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
      }
    }
    try makeOld()
    try expectRefusal(Keyed.Item.self, property: "id")
  }

  @Test func aTypeThatWasRenamedNeedsAMigration() throws {
    struct Article: MagicObject {
      static var wasNamed: [String] { ["Item"] }
      @MagicValue var name: String
      @OptionMagicValue var size: Int?
    }
    try makeOld()
    try expectRefusal(Article.self, property: nil)
  }

  @Test func stepsThatReadRowsNeedAMigration() throws {
    enum Stepped {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
        static var migrations: Migrations {
          Migrations { MigrationStep { [.sql("UPDATE Item SET size = 2")] } }
        }
      }
    }
    try makeOld()
    try expectRefusal(Stepped.Item.self, property: nil)
  }

  @Test func stepsThatOnlyRenameAreApplied() throws {
    enum Stepped {
      struct Item: MagicObject {
        @MagicValue var title: String
        static var migrations: Migrations {
          Migrations {
            MigrationStep { [.renameValue(name: "name", to: "title"), .deleteValue(name: "size")] }
          }
        }
      }
    }
    try makeOld()
    try reading(Stepped.Item.self) { _, items throws in
      #expect(items.map(\.title) == ["a", "b", "c"])
    }
  }

  // MARK: Relationships

  @Test func newRelationshipsAreEmpty() throws {
    try makePlain()
    let before = try schema()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      for _ in 0..<2 {
        let trees = try store.object(of: Whole.Tree.self)
        #expect(trees.map(\.name) == ["a", "b", "c"])
        #expect(trees.allSatisfy { $0.leaf == nil && $0.list.isEmpty })
        #expect(trees.allSatisfy { $0.set.isEmpty && $0.named.isEmpty })
      }
      #expect(try store.object(of: Needle.self).isEmpty)
    }
    #expect(try schema() == before)
  }

  @Test func theInverseOfANewRelationshipIsEmpty() async throws {
    struct Nut: MagicObject {
      @MagicValue var text: String = "n"
      @ReverseMagicValue(\Later.Bush.$one) var ones: AsyncReverseMagicSet<Later.Bush>
      @ReverseMagicValue(\Later.Bush.$nuts) var bushes: AsyncReverseMagicSet<Later.Bush>
    }
    enum Sooner {
      struct Nut: MagicObject { @MagicValue var text: String = "n" }
      struct Bush: MagicObject { @MagicValue var name: String = "b" }
    }
    enum Later {
      struct Bush: MagicObject {
        @MagicValue var name: String = "b"
        @OptionMagicValue var one: Nut?
        @MagicValue var nuts: [Nut] = []
      }
    }
    func make() throws {
      try scratch.using { store throws in
        try store.update(Sooner.Nut())
        try store.update(Sooner.Bush())
      }
    }
    func open(readOnly: Bool) throws -> (MagicObjectStore, Nut) {
      let store = try scratch.open(MagicOptions(readOnly: readOnly))
      return (store, try store.object(of: Nut.self)[0])
    }
    try make()
    for readOnly in [true, false] {
      let (store, nut) = try open(readOnly: readOnly)
      #expect(try await nut.ones.count == 0)
      #expect(try await nut.bushes.count == 0)
      for try await _ in nut.ones { Issue.record("It leads nowhere.") }
      for try await _ in nut.bushes { Issue.record("It leads nowhere.") }
      store.close()
    }
  }

  @Test func changedRelationshipsAreRefused() throws {
    try makeWhole()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let refused: [() throws -> Void] = [
        { _ = try store.object(of: Other.Kind.Tree.self) },
        { _ = try store.object(of: Other.Key.Tree.self) },
        { _ = try store.object(of: Other.Target.Tree.self) },
        { _ = try store.object(of: Other.ToOneTarget.Tree.self) },
      ]
      for call in refused {
        let error = #expect(throws: MagicError.self) { try call() }
        #expect(error?.code == .needsMigration)
      }
    }
    try expectWhole()
  }

  @Test func otherRulesAndFewerRelationshipsAreRead() throws {
    try makeWhole()
    let before = try schema()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Other.Rule.Tree.self).map(\.list.count) == [2, 2])
    }
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Less.List.Tree.self).map(\.set.count) == [2, 2])
    }
    #expect(try schema() == before)
  }

  @Test func aNewRelationshipToTheTypeItselfIsEmpty() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var next: Item?
        @MagicValue var others: [Item] = []
      }
    }
    try makeOld()
    try reading(New.Item.self) { _, items throws in
      #expect(items.map(\.name) == ["a", "b", "c"])
      #expect(items.allSatisfy { $0.next == nil && $0.others.isEmpty })
    }
  }

  @Test func aRenamedRelationshipToTheTypeItselfIsRead() throws {
    enum Sooner {
      struct Knot: MagicObject {
        @MagicValue var name = ""
        @OptionMagicValue var next: Knot?
      }
    }
    enum Later {
      struct Knot: MagicObject {
        @MagicValue var name = ""
        @OptionMagicValue(.wasNamed("next")) var following: Knot?
      }
    }
    try scratch.using { store throws in
      let (first, second) = (Sooner.Knot(), Sooner.Knot())
      (first.name, second.name) = ("a", "b")
      (first.next, second.next) = (second, first)
      try store.update(first)
    }
    try reading(Later.Knot.self) { _, knots throws in
      #expect(knots[0].following?.following?.name == knots[0].name)
    }
  }
}
