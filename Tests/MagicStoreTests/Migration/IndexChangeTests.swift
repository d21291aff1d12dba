import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Indexes that are added, dropped and changed.
@Suite struct IndexChangeTests {
  let scratch = Scratch()

  private enum Bare {
    struct Shelf: MagicObject {
      @MagicValue var name: String
      @MagicValue var place = 0
      @OptionMagicValue var note: String?
      init() {}
      init(_ name: String, _ place: Int, _ note: String? = nil) {
        self.name = name
        self.place = place
        self.note = note
      }
    }
  }

  private enum Full {
    struct Shelf: MagicObject {
      @MagicValue(.unique) var name: String
      @MagicValue(.indexed) var place = 0
      @OptionMagicValue var note: String?
      static var indexes: [MagicIndex<Shelf>] {
        [MagicIndex(\.$place, \.$name), MagicIndex(\.$note, isUnique: true)]
      }
    }
  }

  private enum Pair {
    struct Shelf: MagicObject {
      @MagicValue var name: String
      @MagicValue var place = 0
      @OptionMagicValue var note: String?
      static var indexes: [MagicIndex<Shelf>] { [MagicIndex(\.$name, \.$place, isUnique: true)] }
    }
  }

  private func make(_ shelves: [(String, Int)]) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: shelves.map { Bare.Shelf($0.0, $0.1) })
    }
  }

  @Test func newIndexesAreCreated() throws {
    try make([("a", 1), ("b", 1), ("c", 2)])
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Full.Shelf.self).kind == .additive)
    }
    try scratch.migrating(to: Full.Shelf.self) { store, shelves throws in
      #expect(shelves.map(\.name) == ["a", "b", "c"])
      shelves[0].name = "b"
      let error = #expect(throws: MagicError.self) { try store.update(shelves[0]) }
      #expect(error?.code == .notUnique)
    }
  }

  @Test func indexesThatTheTypeNoLongerHasAreDropped() throws {
    try scratch.using { store throws in
      let shelf = Full.Shelf()
      (shelf.name, shelf.note) = ("a", "n")
      try store.update(shelf)
    }
    try scratch.migrating(to: Bare.Shelf.self) { store, shelves throws in
      #expect(shelves.map(\.name) == ["a"])
      // Nor do they still constrain the type.
      try store.update(Bare.Shelf("a", 1, "n"))
      #expect(try store.object(of: Bare.Shelf.self).map(\.name) == ["a", "a"])
    }
  }

  @Test func anIndexBecomesUniqueAndThenNotUniqueAgain() throws {
    enum Plain {
      struct Shelf: MagicObject {
        @MagicValue(.indexed) var name: String
        @MagicValue var place = 0
        @OptionMagicValue var note: String?
      }
    }
    enum Unique {
      struct Shelf: MagicObject {
        @MagicValue(.unique) var name: String
        @MagicValue var place = 0
        @OptionMagicValue var note: String?
      }
    }
    try make([("a", 1), ("b", 1)])
    try scratch.migrating(to: Plain.Shelf.self) { _, _ throws in }
    try scratch.migrating(to: Unique.Shelf.self) { _, _ throws in }
    try scratch.migrating(to: Plain.Shelf.self) { store, shelves throws in
      shelves[0].name = "b"
      try store.update(shelves[0])
      #expect(try store.object(of: Plain.Shelf.self).map(\.name) == ["b", "b"])
    }
  }

  @Test func theErrorNamesRowsThatViolateAUniqueIndex() throws {
    enum Unique {
      struct Shelf: MagicObject {
        @MagicValue(.unique) var name: String
        @MagicValue var place = 0
        @OptionMagicValue var note: String?
      }
    }
    try make([("a", 1), ("b", 1), ("a", 2), ("secret", 1), ("secret", 3)])
    try scratch.expectNoMigration(
      to: Unique.Shelf.self, .notUnique, property: "name", naming: ["Shelf", "name", "1, 3, 4, 5"])
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Unique.Shelf.self) }
      #expect("\(error as Any)".contains("secret") == false)
    }
  }

  @Test func theErrorNamesTheFirstFiveRowsThatViolateAUniqueIndex() throws {
    try make((0..<20).map { ("a", $0 / 2) })
    try scratch.expectNoMigration(
      to: Pair.Shelf.self, .notUnique, naming: ["rows 1, 2, 3, 4, 5 and others", "name, place"])
  }

  @Test func theErrorNamesRowsThatViolateAUniqueIndexOfSeveralColumns() throws {
    try make([("a", 1), ("b", 1), ("a", 2), ("b", 1)])
    try scratch.expectNoMigration(
      to: Pair.Shelf.self, .notUnique, naming: ["Shelf", "name, place", "rows 2, 4"])
  }

  @Test func theErrorNamesRowsThatViolateAUniqueIndexInARebuild() throws {
    enum Rebuilt {
      struct Shelf: MagicObject {
        @MagicValue(.unique) var name: String
        @OptionMagicValue var place: String?
        @OptionMagicValue var note: String?
      }
    }
    try make([("a", 1), ("b", 1), ("a", 2)])
    try scratch.expectNoMigration(
      to: Rebuilt.Shelf.self, .notUnique, property: "name", naming: ["Shelf", "rows 1, 3"])
  }

  @Test func theDefaultOfANewUniqueColumnIsNotUniqueInTwoRows() throws {
    enum New {
      struct Shelf: MagicObject {
        @MagicValue var name: String
        @MagicValue var place = 0
        @OptionMagicValue var note: String?
        @MagicValue(.unique) var code = "x"
      }
    }
    try make([("a", 1), ("b", 1)])
    try scratch.expectNoMigration(
      to: New.Shelf.self, .notUnique, property: "code", naming: ["rows 1, 2"])
  }

  @Test func nilIsNotEqualToNilInAUniqueIndex() throws {
    enum New {
      struct Shelf: MagicObject {
        @MagicValue var name: String
        @MagicValue var place = 0
        @OptionMagicValue(.unique) var note: String?
      }
    }
    try make([("a", 1), ("b", 1)])
    try scratch.migrating(to: New.Shelf.self) { _, shelves throws in #expect(shelves.count == 2) }
  }

  @Test func anIndexFollowsItsRenamedColumns() throws {
    enum Renamed {
      struct Shelf: MagicObject {
        @MagicValue(.unique, .wasNamed("name")) var title: String
        @MagicValue(.indexed, .wasNamed("place")) var position = 0
        @OptionMagicValue var note: String?
        static var indexes: [MagicIndex<Shelf>] {
          [MagicIndex(\.$position, \.$title), MagicIndex(\.$note, isUnique: true)]
        }
      }
    }
    try scratch.using { store throws in
      let shelf = Full.Shelf()
      shelf.name = "a"
      try store.update(shelf)
    }
    try scratch.migrating(to: Renamed.Shelf.self) { _, shelves throws in
      #expect(shelves.map(\.title) == ["a"])
    }
  }
}
