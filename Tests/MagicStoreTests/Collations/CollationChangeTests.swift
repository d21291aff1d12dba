import EngineConformance
import MagicSQLite
import MagicQuery
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Columns that get another collation.
@Suite struct CollationChangeTests {
  let scratch = Scratch()

  private enum Bytes {
    struct Label: MagicObject {
      @MagicValue(.indexed) var name: String = ""
      @MagicValue(.unique) var code: String = ""
      init() {}
      init(_ name: String, _ code: String) { (self.name, self.code) = (name, code) }
    }
  }

  private enum German {
    struct Label: MagicObject {
      @MagicValue(.indexed, .compared(.localized("de"))) var name: String = ""
      @MagicValue(.unique) var code: String = ""
    }
  }

  private enum Swedish {
    struct Label: MagicObject {
      @MagicValue(.indexed, .compared(.localized("sv"))) var name: String = ""
      @MagicValue(.unique, .compared(.caseInsensitive)) var code: String = ""
      @OptionMagicValue(.compared(.caseInsensitive)) var note: String?
    }
  }

  private enum Renamed {
    struct Label: MagicObject {
      @MagicValue(.indexed, .wasNamed("name"), .compared(.localized("de"))) var title: String = ""
      @MagicValue(.unique) var code: String = ""
    }
  }

  private func make(_ labels: [(String, String)]) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: labels.map { Bytes.Label($0.0, $0.1) })
    }
  }

  @Test func theTableIsRebuiltAndThePlanNamesTheCollation() throws {
    try make([("Zoe", "1"), ("ada", "2"), ("ä", "3")])
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: German.Label.self)
      #expect(plan.kind == .rewriting)
      #expect(
        plan.steps.first?.summary
          == "the table is rebuilt: the collation of name becomes magic_localized_de")
    }
    try scratch.migrating(to: German.Label.self) { store, labels throws in
      #expect(labels.map(\.name) == ["Zoe", "ada", "ä"])
      #expect(
        try store.query(German.Label.self).order(by: \.$name).all().map(\.code) == ["3", "2", "1"])
    }
    try scratch.migrating(to: Swedish.Label.self) { store, labels throws in
      #expect(
        try store.query(Swedish.Label.self).order(by: \.$name).all().map(\.code) == ["2", "1", "3"])
      let other = Swedish.Label()
      (other.name, other.code, other.note) = ("x", "4", "n")
      try store.update(other)
      #expect(try store.query(Swedish.Label.self).where(\.$note == "N").count() == 1)
      other.note = nil
      try store.update(other)
    }
    try scratch.migrating(to: Bytes.Label.self) { store, _ throws in
      #expect(
        try store.query(Bytes.Label.self).order(by: \.$name).all().map(\.name)
          == ["Zoe", "ada", "x", "ä"])
    }
  }

  @Test func aRenamedColumnGetsItsCollation() throws {
    try make([("Zoe", "1"), ("ada", "2")])
    try scratch.migrating(to: Renamed.Label.self) { store, _ throws in
      #expect(
        try store.query(Renamed.Label.self).order(by: \.$title).all().map(\.title) == [
          "ada", "Zoe",
        ])
    }
  }

  @Test func textsThatBecomeEqualAreNamed() throws {
    try make([("x", "a"), ("x", "b"), ("x", "A")])
    try scratch.expectNoMigration(
      to: Swedish.Label.self, .notUnique, property: "code", naming: ["rows 1, 3"])
  }

  @Test func anUnchangedCollationIsNoMigration() throws {
    try scratch.using { store throws in try store.update(German.Label()) }
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: German.Label.self).steps.isEmpty)
    }
  }
}
