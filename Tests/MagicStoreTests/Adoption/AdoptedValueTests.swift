import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Values of adopted tables, and what is refused.
@Suite struct AdoptedValueTests {
  let scratch = Scratch()

  private enum Plain {
    struct Thing: MagicObject {
      @OptionMagicValue var flag: Bool?
      @OptionMagicValue var key: UUID?
      @OptionMagicValue var price: Decimal?
      @OptionMagicValue var size: Double?
      @OptionMagicValue var tags: [String]?
      @OptionMagicValue var made: Date?
      @OptionMagicValue var count: Int?

      static var migrations: Migrations {
        Migrations { MigrationStep { [.adoptTable("old things", dates: .unixMilliseconds)] } }
      }

      init() {}
    }
  }

  private enum Undated {
    struct Thing: MagicObject {
      @OptionMagicValue var made: Date?

      static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

      init() {}
    }
  }

  private enum Transformed {
    struct Thing: MagicObject {
      @OptionMagicValue var made: Date?
      @MagicValue(.wasNamed("title")) var name: String = "none"

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .adoptTable(),
              .transformValue(name: "made") { (text: String) in
                Date(timeIntervalSinceReferenceDate: Double(text.dropFirst()) ?? 0)
              }, .deleteValue(name: "junk"),
            ]
          }
        }
      }

      init() {}
    }
  }

  private enum Undeclared {
    struct Thing: MagicObject {
      @MagicValue var name: String

      init() {}
    }
  }

  private enum Tree {
    struct Node: MagicObject {
      @PrimaryMagicValue(.rowID) var id: Int
      @OptionMagicValue(.wasNamed("parent_id")) var parent: Node?
      @MagicValue var friends: [Node] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.adoptTable("nodes"), .adoptJoinTable("links", as: "friends")] }
        }
      }

      init() {}
    }
  }

  private enum Lenient {
    struct Node: MagicObject {
      @PrimaryMagicValue(.rowID) var id: Int
      @OptionMagicValue(.wasNamed("parent_id")) var parent: Node?
      @MagicValue var friends: [Node] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .adoptTable("nodes"), .adoptJoinTable("links", as: "friends"),
              .convertValue(name: "parent"), .convertValue(name: "friends"),
            ]
          }
        }
      }

      init() {}
    }
  }

  /// Expects that a migration is refused with each of the texts, and that nothing is changed.
  private func expectRefusal<Model: MagicObject>(
    _ type: Model.Type, _ texts: String..., at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self, sourceLocation: location) {
        try store.object(of: type)
      }
      #expect(error?.code == .needsMigration, sourceLocation: location)
      for text in texts {
        #expect(
          error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: location
        )
      }
      let plan = try store.migrationPlan(for: type)
      #expect(!plan.refused.isEmpty, "\(plan)", sourceLocation: location)
    }
    #expect(try scratch.raw().dump() == before, sourceLocation: location)
  }

  @Test func valuesAreConvertedExactly() throws {
    try scratch.foreign(
      """
      CREATE TABLE "old things" (flag, key, price, size, tags, made, count);
      INSERT INTO "old things" VALUES
        (1, 'a0000000-0000-4000-8000-00000000000f', 7, 3, '["x"]', 978307200500, 1),
        (0, x'A000000000004000800000000000000F', 0.1, 0.5, x'5B5D', 978307201000, 2),
        (NULL, NULL, '12.50', NULL, NULL, NULL, NULL), (1, NULL, 3.0, -1e300, NULL, NULL, NULL);
      """)
    try scratch.using { store throws in
      let things = try store.object(of: Plain.Thing.self)
      #expect(things.map(\.flag) == [true, false, nil, true])
      let key = UUID(uuidString: "A0000000-0000-4000-8000-00000000000F")
      #expect(things.map(\.key) == [key, key, nil, nil])
      #expect(things.map { $0.price.map { "\($0)" } } == ["7", "0.1", "12.5", "3"])
      #expect(things.map(\.size) == [3, 0.5, nil, -1e300])
      #expect(things.map(\.tags) == [["x"], [], nil, nil])
      #expect(things.map(\.made?.timeIntervalSinceReferenceDate) == [0.5, 1, nil, nil])
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: [
    ("2, NULL, NULL, NULL, NULL, NULL, 1", "row 1 has a value of flag that is not 0 or 1"),
    ("0, 'abc', NULL, NULL, NULL, NULL, 1", "row 1 has a value of key that is not a UUID"),
    ("0, x'00', NULL, NULL, NULL, NULL, 1", "row 1 has a value of key that is not a UUID"),
    ("0, NULL, 0.12345678901234567, NULL, NULL, NULL, 1", "a value of price that is not a decimal"),
    ("0, NULL, 'abc', NULL, NULL, NULL, 1", "row 1 has a value of price that is not a decimal"),
    ("0, NULL, NULL, 'x', NULL, NULL, 1", "row 1 has a value of size that is not a number"),
    ("0, NULL, NULL, 9007199254740993, NULL, NULL, 1", "row 1 has a value of size"),
    ("0, NULL, NULL, NULL, 5, NULL, 1", "row 1 has a value of tags that is not text or a blob"),
    (
      "0, NULL, NULL, NULL, NULL, '2001-01-01', 1", "row 1 has a value of made that is not a number"
    ),
    ("0, NULL, NULL, NULL, NULL, NULL, 'x'", "row 1 has a value that is not of type integer"),
  ]) func aValueThatCannotBeConvertedIsRefused(_ values: String, _ text: String) throws {
    try scratch.foreign(
      """
      CREATE TABLE "old things" (flag, key, price, size, tags, made, count);
      INSERT INTO "old things" VALUES (\(values))
      """)
    try expectRefusal(Plain.Thing.self, text)
  }

  @Test func datesNeedADeclaredFormat() throws {
    try scratch.foreign("CREATE TABLE Thing (made REAL); INSERT INTO Thing VALUES (5)")
    try expectRefusal(
      Undated.Thing.self, "made is a date: declare its format", ".adoptTable(dates: .unixSeconds)")
  }

  @Test func columnsWithoutPropertyAreRefused() throws {
    try scratch.foreign("CREATE TABLE Thing (made, junk); INSERT INTO Thing VALUES (NULL, 'x')")
    try expectRefusal(Undated.Thing.self, "junk is dropped", ".deleteValue(name: \"junk\")")
  }

  @Test func laterChangesConvertAndDeleteValues() throws {
    try scratch.foreign(
      """
      CREATE TABLE THING (made TEXT, title TEXT, junk BLOB);
      INSERT INTO THING VALUES ('x7', 'a', x'01'), (NULL, NULL, NULL)
      """)
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Transformed.Thing.self)
      #expect(plan.refused.isEmpty, "\(plan)")
      #expect(plan.kind == .destroying)
      let things = try store.object(of: Transformed.Thing.self)
      #expect(things.map(\.made?.timeIntervalSinceReferenceDate) == [7, nil])
      #expect(things.map(\.name) == ["a", "none"])
      #expect(try store.verify().findings == [])
    }
    #expect(
      try scratch.raw().texts(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'thing'")
        == ["Thing"])
  }

  @Test func anUndeclaredTableIsRefusedWithTheDeclaration() throws {
    try scratch.foreign("CREATE TABLE Thing (name TEXT)")
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Undeclared.Thing.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.message.contains("declare .adoptTable() in the type's migrations") == true)
    }
  }

  @Test func aPlanNamesAnUndeclaredTableWithTheOtherSteps() throws {
    try scratch.foreign(
      """
      CREATE TABLE Thing (name TEXT);
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id INTEGER);
      CREATE TABLE links (id INTEGER PRIMARY KEY, a REFERENCES nodes, b REFERENCES nodes (id))
      """)
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Undeclared.Thing.self, Tree.Node.self)
      #expect(plan.refused.map(\.type) == ["Thing"], "\(plan)")
      #expect(plan.refused.first?.refusal?.contains("declare .adoptTable()") == true)
      #expect(plan.steps.contains { $0.type == "Node" && $0.summary.contains("are adopted") })
      let error = #expect(throws: MagicError.self) {
        try store.migrate(Undeclared.Thing.self, Tree.Node.self)
      }
      #expect(error?.code == .needsMigration)
    }
  }

  @Test func viewsAndTriggersAreRefusedByName() throws {
    try scratch.foreign(
      """
      CREATE TABLE Thing (made); CREATE TABLE other (x);
      CREATE VIEW "a view" AS SELECT made FROM "Thing";
      CREATE TRIGGER mine AFTER INSERT ON other BEGIN DELETE FROM thing; END
      """)
    try expectRefusal(
      Undated.Thing.self, "drop the trigger mine, the view a view first")
  }

  @Test func missingRowsAreRefusedOrDropped() throws {
    try scratch.foreign(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id INTEGER);
      INSERT INTO nodes VALUES (3, NULL), (4, 3), (5, 77), (6, 78);
      CREATE TABLE links (id INTEGER PRIMARY KEY, a REFERENCES nodes, b REFERENCES nodes (id));
      INSERT INTO links (a, b) VALUES (3, 5), (3, 4), (3, 4), (4, 99), (NULL, 4)
      """)
    try expectRefusal(
      Tree.Node.self, "2 rows refer with parent_id to rows of Node that do not exist",
      ".convertValue(name: \"parent\")",
      "2 rows of the table links refer to rows that do not exist",
      ".convertValue(name: \"friends\")")
    try scratch.using { store throws in
      #expect(try store.migrate(Lenient.Node.self).kind == .destroying)
      let nodes = try store.object(of: Lenient.Node.self)
      #expect(nodes.map(\.id) == [3, 4, 5, 6])
      #expect(nodes.map { $0.parent?.id } == [nil, 3, nil, nil])
      #expect(nodes.map { $0.friends.map(\.id) } == [[4, 5], [], [], []])
      #expect(try store.verify().findings == [])
    }
  }

  @Test func aTableIsNotAdoptedIntoAnExistingOne() throws {
    try scratch.using { store throws in
      let thing = Undeclared.Thing()
      thing.name = "a"
      try store.update(thing)
    }
    try scratch.foreign("CREATE TABLE \"old things\" (made)")
    try expectRefusal(Plain.Thing.self, "the table Thing exists already")
  }

  @Test func aFailureDuringTheCopyChangesNothing() throws {
    try scratch.foreign(
      "CREATE TABLE \"old things\" (count); INSERT INTO \"old things\" VALUES (1);"
        + "CREATE TABLE \"magic_new Thing\" (x)")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      #expect(throws: MagicError.self) { try store.object(of: Plain.Thing.self) }
    }
    #expect(try scratch.raw().dump() == before)
  }

  private enum Dated {
    struct Thing: MagicObject {
      @OptionMagicValue var made: Date?

      static var migrations: Migrations {
        Migrations { MigrationStep { [.adoptTable(dates: .iso8601)] } }
      }

      init() {}
    }
  }

  @Test(arguments: ["2023-02-31", "now", "12:00", "2023-05-05 25:00", "2023-05-05T10:00:00+0200"])
  func aTextThatIsNoDateIsRefused(_ text: String) throws {
    try scratch.foreign("CREATE TABLE Thing (made); INSERT INTO Thing VALUES ('\(text)')")
    try expectRefusal(
      Dated.Thing.self, "row 1 has a value of made that is not a date in the format")
  }

  @Test func aReadOnlyDatabaseAdoptsNothing() throws {
    try scratch.foreign("CREATE TABLE Thing (made)")
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Dated.Thing.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.message.contains("another program has created the table") == true)
    }
  }

  @Test func tablesWithoutUsableRowIDsAreRefused() throws {
    try scratch.foreign("CREATE TABLE Thing (made, z_index)")
    try expectRefusal(Dated.Thing.self, "it has a column z_index")
    try scratch.foreign("DROP TABLE Thing; CREATE TABLE Thing (made, rowid, _rowid_, oid)")
    try expectRefusal(Dated.Thing.self, "rowid, _rowid_ and oid")
    try scratch.foreign(
      "DROP TABLE Thing; CREATE TABLE Thing (made); INSERT INTO Thing (rowid) VALUES (0)")
    try expectRefusal(Dated.Thing.self, "row 0 has a row ID below 1")
  }

  @Test func aTableWhoseKeyIsReferredToWithoutItsNameIsRefused() throws {
    try scratch.foreign(
      """
      CREATE TABLE Thing (made TEXT PRIMARY KEY); CREATE TABLE other (thing REFERENCES thing)
      """)
    try expectRefusal(
      Dated.Thing.self, "the table other refers to its primary key without naming the column")
    try scratch.foreign("DROP TABLE other; CREATE TABLE other (thing REFERENCES thing (made))")
    try expectRefusal(
      Dated.Thing.self,
      "the table other refers to its column made, which no unique property of the type has")
  }

  @Test func foreignKeysThatAreNoRelationshipAreRefused() throws {
    try scratch.foreign(
      """
      CREATE TABLE people (a, b, PRIMARY KEY (a, b));
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent_id REFERENCES people (a));
      CREATE TABLE links (x REFERENCES nodes, y REFERENCES nodes, added TEXT)
      """)
    try expectRefusal(
      Tree.Node.self, "parent_id refers to the table people, not to Node",
      "the table links has other columns than its foreign keys: added; declare a type for it")
  }
}
