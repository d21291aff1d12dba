import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Names that collide, that are reserved, or that are misspelt.
@Suite struct NameTests {
  let scratch = Scratch()

  private enum Here {
    struct Thing: MagicObject { @MagicValue var name: String = "here" }
  }

  private enum There {
    struct Thing: MagicObject { @MagicValue var size: Int = 1 }
  }

  private enum Lower {
    struct thing: MagicObject { @MagicValue var name: String = "lower" }
  }

  private func expectConflict<Second: MagicObject>(
    _ second: Second, at location: SourceLocation = #_sourceLocation
  ) async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Here.Thing())
      let before = try scratch.raw().integer("SELECT count(*) FROM sqlite_master")
      await expect(.tableConflict, at: location) { try await magic.update(second) }
      await expect(.tableConflict, at: location) {
        _ = try await magic.object(of: Second.self) as [Second]
      }
      #expect(second.zIndex == nil, sourceLocation: location)
      #expect(
        try scratch.raw().integer("SELECT count(*) FROM sqlite_master") == before,
        sourceLocation: location)
      #expect(
        try await magic.object(of: Here.Thing.self).map(\.name) == ["here"],
        sourceLocation: location)
    }
  }

  @Test func twoTypesWithTheSameNameConflictAndNothingIsWritten() async throws {
    try await expectConflict(There.Thing())
  }

  @Test func twoTypesWhoseNamesDifferOnlyInCaseConflict() async throws {
    try await expectConflict(Lower.thing())
  }

  private enum Reserved {
    struct Empty: MagicObject {
      static var tableName: String { "" }
      @MagicValue var value: Int = 1
    }
    struct OfSQLite: MagicObject {
      static var tableName: String { "SQLite_thing" }
      @MagicValue var value: Int = 1
    }
    struct OfTheLibrary: MagicObject {
      static var tableName: String { "Magic_assets" }
      @MagicValue var value: Int = 1
    }
    struct WithNUL: MagicObject {
      static var tableName: String { "a\0b" }
      @MagicValue var value: Int = 1
    }
    struct Column: MagicObject {
      @MagicValue(.named("a\0b")) var value: Int = 1
    }
    struct Key: MagicObject {
      @MagicValue(.named("Z_INDEX")) var value: Int = 1
    }
  }

  @Test func reservedNamesAreRefusedAndNothingIsWritten() async throws {
    try await scratch.using { magic async throws in
      func expectRefusal<Model: MagicObject>(_ object: Model) async {
        await expect(.invalidSchema) { try await magic.update(object) }
        await expect(.invalidSchema) { _ = try await magic.object(of: Model.self) as [Model] }
        #expect(object.zIndex == nil)
      }
      await expectRefusal(Reserved.Empty())
      await expectRefusal(Reserved.OfSQLite())
      await expectRefusal(Reserved.OfTheLibrary())
      await expectRefusal(Reserved.WithNUL())
      await expectRefusal(Reserved.Column())
      await expectRefusal(Reserved.Key())
      #expect(try scratch.raw().integer("SELECT count(*) FROM sqlite_master") == 0)
      try await magic.update(Note("a"))
    }
  }

  /// A type whose table has the name of the index of `Person.name`.
  private struct NamedAsIndex: MagicObject {
    static var tableName: String { "person(NAME)" }
    @MagicValue var value: Int = 1
  }

  private struct Owner: MagicObject {
    @MagicValue var notes: [Note] = []
  }

  /// Expects that a type is refused, that the error names the owner of its name, and that nothing
  /// is written.
  private func expectTaken<Model: MagicObject>(
    _ object: Model, by other: String, _ magic: MagicData,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try scratch.raw().integer("SELECT count(*) FROM sqlite_master")
    let error = await expect(.invalidSchema, at: location) { try await magic.update(object) }
    #expect(error?.message.contains(other) == true, "\(error as Any)", sourceLocation: location)
    #expect(object.zIndex == nil, sourceLocation: location)
    #expect(
      try scratch.raw().integer("SELECT count(*) FROM sqlite_master") == before,
      sourceLocation: location)
  }

  @Test func aTableWithTheNameOfAnIndexIsRefused() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Person(id: "a", name: "Ada"))
      try await expectTaken(NamedAsIndex(), by: "an index of the table Person", magic)
      #expect(try await magic.object(of: NamedAsIndex.self).isEmpty)
      try await magic.update(Note("a"))
    }
  }

  @Test func anIndexWithTheNameOfATableIsRefused() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(NamedAsIndex())
      try await expectTaken(Person(id: "a", name: "Ada"), by: "the table person(NAME)", magic)
      #expect(try await magic.object(of: NamedAsIndex.self).map(\.value) == [1])
    }
  }

  @Test func namesThatTheFileUsesForOtherSchemaObjectsAreRefused() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      let raw = try scratch.raw()
      try raw.execute(
        """
        CREATE VIEW Ticket AS SELECT text FROM Note;
        CREATE TABLE mine (x); CREATE INDEX "Person(name)" ON mine (x);
        CREATE INDEX "magic_Owner.notes" ON mine (x)
        """)
      try await expectTaken(Ticket("t"), by: "a view", magic)
      try await expectTaken(Person(id: "a", name: "Ada"), by: "an index of the table mine", magic)
      try await expectTaken(Owner(), by: "an index of the table mine", magic)
      try raw.execute("DROP TABLE mine; DROP VIEW Ticket")
      try await magic.update(Ticket("t"))
      try await magic.update(Person(id: "a", name: "Ada"))
      try await magic.update(Owner())
    }
  }

  private enum Renamed {
    struct Person: MagicObject {
      static var tableName: String { "taken" }
      static var wasNamed: [String] { ["Note"] }
      @MagicValue var text: String = ""
      @OptionMagicValue var stars: Int?
    }
  }

  @Test func aTableIsNotRenamedToTheNameOfAnIndex() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      try scratch.raw().execute("CREATE TABLE mine (x); CREATE INDEX taken ON mine (x)")
    }
    try await scratch.using { magic async throws in
      try await expectTaken(Renamed.Person(), by: "an index of the table mine", magic)
      #expect(try await magic.texts() == ["a"])
    }
  }

  @Test func aMisspeltQuotedColumnIsAnErrorAndNotAText() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("txet"))
      await expect(.invalidQuery) {
        _ = try await magic.sql("SELECT count(*) FROM Note WHERE \"txet\" = text").value(Int.self)
      }
      await expect(.invalidQuery) {
        try await magic.sql("DELETE FROM Note WHERE \"x\" = 'x'").run()
      }
      #expect(try await magic.texts() == ["txet"])
    }
  }
}
