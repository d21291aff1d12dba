import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Keys that are added, changed and removed.
@Suite struct KeyChangeTests {
  let scratch = Scratch()

  private enum Bare {
    struct Seat: MagicObject {
      @MagicValue var row: String
      @MagicValue var number = 0
      @MagicValue var guest = ""
      init() {}
      init(_ row: String, _ number: Int, _ guest: String = "") {
        (self.row, self.number, self.guest) = (row, number, guest)
      }
    }
  }

  private enum Pair {
    struct Seat: MagicObject {
      @MagicValue var row: String
      @MagicValue var number = 0
      @MagicValue var guest = ""
      static var key: MagicKey<Seat> { MagicKey(\.$row, \.$number) }
    }
  }

  private enum Other {
    struct Seat: MagicObject {
      @MagicValue var row: String
      @MagicValue var number = 0
      @MagicValue var guest = ""
      static var key: MagicKey<Seat> { MagicKey(\.$guest, \.$row, \.$number) }
    }
  }

  private enum Indexed {
    struct Seat: MagicObject {
      @MagicValue var row: String
      @MagicValue var number = 0
      @MagicValue var guest = ""
      static var indexes: [MagicIndex<Seat>] { [MagicIndex(\.$row, \.$number, isUnique: true)] }
    }
  }

  private func make(_ seats: [(String, Int)]) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: seats.map { Bare.Seat($0.0, $0.1) })
    }
  }

  private func indexes() throws -> [String] {
    try scratch.raw().texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Seat'")
  }

  @Test func aNewKeyIsAUniqueIndex() throws {
    try make([("a", 1), ("a", 2), ("b", 1)])
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Pair.Seat.self)
      #expect(plan.kind == .additive)
      #expect(plan.description.contains("Seat(row, number) unique"))
    }
    try scratch.migrating(to: Pair.Seat.self) { store, seats throws in
      #expect(seats.map(\.number) == [1, 2, 1])
      let found = try store.object(of: Pair.Seat.self, key: "a", 2)
      #expect(found.zIndex == seats[1].zIndex)
      seats[0].number = 2
      let error = #expect(throws: MagicError.self) { try store.update(seats[0]) }
      #expect(error?.code == .notUnique)
    }
    #expect(try indexes() == ["Seat(row, number) unique"])
  }

  @Test func aChangedKeyReplacesTheIndex() throws {
    try make([("a", 1), ("b", 1)])
    try scratch.migrating(to: Pair.Seat.self) { _, _ throws in }
    try scratch.migrating(to: Other.Seat.self) { store, seats throws in
      #expect(seats.map(\.row) == ["a", "b"])
      #expect(try store.has(of: Other.Seat.self, key: "", "b", 1))
      // The former key is no constraint.
      seats[1].row = "a"
      seats[1].guest = "Ada"
      try store.update(seats[1])
    }
    #expect(try indexes() == ["Seat(guest, row, number) unique"])
  }

  @Test func aRemovedKeyDropsTheIndex() throws {
    try make([("a", 1), ("b", 1)])
    try scratch.migrating(to: Pair.Seat.self) { _, _ throws in }
    try scratch.migrating(to: Bare.Seat.self) { store, seats throws in
      #expect(seats.map(\.row) == ["a", "b"])
      try store.update(Bare.Seat("a", 1))
      #expect(try store.object(of: Bare.Seat.self).map(\.row) == ["a", "b", "a"])
    }
    #expect(try indexes().isEmpty)
  }

  @Test func duplicatesRefuseANewKeyBeforeAnythingChanges() throws {
    try make([("a", 1), ("b", 1), ("a", 2), ("b", 1)])
    try scratch.expectNoMigration(
      to: Pair.Seat.self, .notUnique, naming: ["Seat", "row, number", "rows 2, 4"])
  }

  @Test func duplicatesRefuseAChangedKeyBeforeAnythingChanges() throws {
    enum Row {
      struct Seat: MagicObject {
        @MagicValue var row: String
        @MagicValue var number = 0
        @MagicValue var guest = ""
        static var key: MagicKey<Seat> { MagicKey(\.$row, \.$guest) }
      }
    }
    try make([("a", 1), ("a", 2), ("b", 1)])
    try scratch.migrating(to: Pair.Seat.self) { _, _ throws in }
    try scratch.expectNoMigration(
      to: Row.Seat.self, .notUnique, naming: ["Seat", "row, guest", "rows 1, 2"])
    try scratch.using { store throws in
      #expect(try store.has(of: Pair.Seat.self, key: "a", 2))
    }
  }

  @Test func aUniqueIndexOverTheSamePropertiesIsTheKey() throws {
    try make([("a", 1)])
    try scratch.migrating(to: Indexed.Seat.self) { _, _ throws in }
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Pair.Seat.self).steps.isEmpty)
      #expect(try store.has(of: Pair.Seat.self, key: "a", 1))
    }
    #expect(try indexes() == ["Seat(row, number) unique"])
  }

  @Test func aRenamedColumnOfAKeyKeepsItsRows() throws {
    enum Renamed {
      struct Seat: MagicObject {
        @MagicValue(.wasNamed("row")) var line: String
        @MagicValue var number = 0
        @MagicValue var guest = ""
        static var key: MagicKey<Seat> { MagicKey(\.$line, \.$number) }
      }
    }
    try make([("a", 1), ("b", 1)])
    try scratch.migrating(to: Pair.Seat.self) { _, _ throws in }
    try scratch.migrating(to: Renamed.Seat.self) { store, _ throws in
      #expect(try store.object(of: Renamed.Seat.self, key: "b", 1).line == "b")
    }
    #expect(try indexes() == ["Seat(line, number) unique"])
  }

  @Test func keysAreFoundInAReadOnlyFile() throws {
    try make([("a", 1), ("b", 1)])
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      // The file has no index for the key yet.
      #expect(try store.object(of: Pair.Seat.self, key: "b", 1).row == "b")
    }
  }

  @Test func aDatabaseWithAKeyIsSoundAndADamagedKeyIsFound() throws {
    try make([("a", 1), ("b", 1)])
    try scratch.using { store throws in
      _ = try store.object(of: Pair.Seat.self)
      #expect(try store.verify().findings == [])
    }
    let raw = try scratch.raw()
    let root = try #require(
      try raw.integer("SELECT rootpage FROM sqlite_master WHERE name = 'Seat(row, number) unique'"))
    raw.close()
    // Both entries of the index are the same, and refer to the first row.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
    let start = (Int(root) - 1) * 4_096
    bytes[start + 8..<start + 10] = bytes[start + 10..<start + 12]
    try scratch.write(bytes)
    try scratch.using { store throws in
      let report = try store.verify()
      #expect(report.findings.contains { $0.kind == .damage }, "\(report)")
      #expect(report.description.contains("Seat(row, number) unique"), "\(report)")
    }
  }
}
