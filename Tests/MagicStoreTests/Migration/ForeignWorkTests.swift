import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Indexes, triggers and views that SQL of another program has added, when a table is migrated.
@Suite struct ForeignWorkTests {
  let scratch = Scratch()

  private enum Rebuilt {
    struct Item: MagicObject {
      @OptionMagicValue var name: String?
      @OptionMagicValue var size: Int?
    }
  }

  /// A rebuilt table with a renamed column.
  private enum Retitled {
    struct Item: MagicObject {
      @OptionMagicValue(.wasNamed("name")) var title: String?
      @OptionMagicValue var size: Int?
    }
  }

  private func make(_ sql: String) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b"].map { Old.Item(name: $0) })
    }
    try scratch.raw().execute(sql)
  }

  private func names(_ type: String) throws -> [String] {
    try scratch.raw().texts(
      "SELECT name FROM sqlite_master WHERE type = '\(type)' AND name LIKE 'mine%' ORDER BY name")
  }

  @Test func indexesSurviveARebuild() throws {
    try make(
      """
      CREATE INDEX mine ON Item (name DESC, size);
      CREATE UNIQUE INDEX "mine 2" ON "Item" (upper("name")) WHERE name > 'A'
      """)
    try scratch.using { store throws in
      #expect(try store.object(of: Rebuilt.Item.self).map(\.name) == ["a", "b"])
    }
    #expect(try names("index") == ["mine", "mine 2"])
    let connection = try scratch.raw()
    #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO Item (name) VALUES ('A')")
      try connection.execute("INSERT INTO Item (name) VALUES ('a')")
    }
  }

  @Test func triggersSurviveARebuildAndDoNotFireInIt() throws {
    try make(
      """
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER mine AFTER INSERT ON Item BEGIN INSERT INTO log VALUES ('in ' || NEW.name); END;
      CREATE TRIGGER "mine 2" BEFORE DELETE ON Item BEGIN
        INSERT INTO log VALUES ('out ' || OLD.name);
      END
      """)
    try scratch.using { store throws in
      let items = try store.object(of: Rebuilt.Item.self)
      try store.remove(items[0])
      let item = Rebuilt.Item()
      item.name = "c"
      try store.update(item)
    }
    #expect(try scratch.raw().texts("SELECT text FROM log") == ["out a", "in c"])
    #expect(try names("trigger") == ["mine", "mine 2"])
  }

  @Test func viewsSurviveARebuild() throws {
    try make(
      """
      CREATE VIEW mine AS SELECT name, size FROM Item WHERE size > 0;
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER "mine 2" INSTEAD OF DELETE ON mine BEGIN
        INSERT INTO log VALUES (OLD.name);
      END
      """)
    try scratch.using { store throws in _ = try store.object(of: Rebuilt.Item.self) }
    let connection = try scratch.raw()
    try connection.execute("DELETE FROM mine WHERE name = 'b'")
    #expect(try connection.texts("SELECT name FROM mine ORDER BY name") == ["a", "b"])
    #expect(try connection.texts("SELECT text FROM log") == ["b"])
  }

  @Test func triggersOfOtherTablesThatWriteToTheTableSurviveARebuild() throws {
    try make(
      """
      CREATE TABLE other (x);
      CREATE TRIGGER mine AFTER INSERT ON other BEGIN
        UPDATE Item SET size = NEW.x; DELETE FROM "Item" WHERE name = 'b';
      END
      """)
    try scratch.using { store throws in _ = try store.object(of: Rebuilt.Item.self) }
    try scratch.raw().execute("INSERT INTO other VALUES (9)")
    try scratch.using { store throws in
      #expect(try store.object(of: Rebuilt.Item.self).map(\.size) == [9])
    }
  }

  @Test func unmanagedTablesThatReferToTheTableSurviveARebuild() throws {
    try make(
      """
      CREATE TABLE child (item INTEGER REFERENCES Item (z_index) ON DELETE CASCADE);
      INSERT INTO child VALUES (1), (2)
      """)
    try scratch.using { store throws in
      let items = try store.object(of: Rebuilt.Item.self)
      try store.remove(items[0])
      #expect(try store.verify().findings == [])
    }
    #expect(try scratch.raw().texts("SELECT CAST(item AS TEXT) FROM child") == ["2"])
  }

  @Test func indexesFollowAColumnThatIsRenamedInPlace() throws {
    try make("CREATE INDEX mine ON Item (name, size)")
    try scratch.using { store throws in _ = try store.object(of: Renamed.Item.self) }
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_index_info('mine')") == ["title", "size"])
  }

  @Test func indexesAndTriggersFollowAColumnThatIsRenamedInARebuild() throws {
    try make(
      """
      CREATE TABLE log (text TEXT);
      CREATE INDEX mine ON Item (name, size);
      CREATE INDEX "mine 2" ON Item ("name") WHERE "name" IS NOT NULL;
      CREATE TRIGGER mine AFTER UPDATE OF name ON Item BEGIN
        INSERT INTO log VALUES (NEW.name);
      END
      """)
    try scratch.using { store throws in
      let items = try store.object(of: Retitled.Item.self)
      #expect(items.map(\.title) == ["a", "b"])
      items[0].title = "c"
      try store.update(items[0])
    }
    let connection = try scratch.raw()
    #expect(
      try connection.texts("SELECT name FROM pragma_index_info('mine')") == ["title", "size"])
    #expect(try connection.texts("SELECT name FROM pragma_index_info('mine 2')") == ["title"])
    #expect(try connection.texts("SELECT text FROM log") == ["c"])
  }

  @Test func indexesAndTriggersSurviveAClosureForEveryRow() throws {
    enum Stepped {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
        static var migrations: Migrations {
          Migrations {
            MigrationStep { [.transformValue(name: "size") { (size: Int) in size + 1 }] }
          }
        }
      }
    }
    try make(
      """
      CREATE TABLE log (text TEXT);
      CREATE INDEX mine ON Item (name, size);
      CREATE TRIGGER mine AFTER UPDATE ON Item BEGIN INSERT INTO log VALUES (NEW.name); END
      """)
    try scratch.using { store throws in
      let items = try store.object(of: Stepped.Item.self)
      #expect(items.map(\.size) == [2, 2])
      items[0].name = "c"
      try store.update(items[0])
    }
    #expect(try names("index") == ["mine"])
    #expect(try names("trigger") == ["mine"])
    #expect(try scratch.raw().texts("SELECT text FROM log") == ["c"])
  }

  /// The triggers of the library also exist between the steps.
  @Test func theRowIDOfARowThatAStepDeletesAfterAClosureIsNotAssignedAgain() throws {
    enum Stepped {
      struct Item: MagicObject {
        @MagicValue var name: String
        @OptionMagicValue var size: Int?
        static var migrations: Migrations {
          Migrations {
            MigrationStep { [.transformValue(name: "size") { (size: Int) in size + 1 }] }
            MigrationStep { [.sql("DELETE FROM Item WHERE name = 'b'")] }
          }
        }
      }
    }
    try make("SELECT 1")
    try scratch.using { store throws in
      #expect(try store.object(of: Stepped.Item.self).map(\.name) == ["a"])
      let item = Stepped.Item()
      item.name = "c"
      #expect(try store.update(item).rawValue == 3)
    }
  }

  @Test func viewsFollowAColumnThatIsRenamedInARebuild() throws {
    try make("CREATE VIEW mine AS SELECT name FROM Item")
    try scratch.using { store throws in _ = try store.object(of: Retitled.Item.self) }
    #expect(try scratch.raw().texts("SELECT * FROM mine") == ["a", "b"])
  }

  @Test func anIndexOnADroppedColumnIsAnErrorThatChangesNothing() throws {
    try make("CREATE INDEX mine ON Item (size); UPDATE Item SET size = NULL")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Dropped.Item.self) }
      #expect(error?.code == .migrationFailed, "\(error as Any)")
      #expect(error?.message.contains("mine") == true, "\(error as Any)")
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func aTableOfAnotherProgramIsRefused() throws {
    try scratch.using { store in try store.update(Note("n")) }
    try scratch.raw().execute("CREATE TABLE Item (name TEXT, size INTEGER)")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Old.Item.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.message.contains("not created by this library") == true)
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func aViewWithTheNameOfTheTableIsRefused() throws {
    try scratch.using { store in try store.update(Note("n")) }
    try scratch.raw().execute("CREATE VIEW Item AS SELECT 1 AS z_index, 'a' AS name, 2 AS size")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      #expect(throws: MagicError.self) { try store.update(Old.Item(name: "x")) }
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func anExistingTableWithTheNameOfTheNewOneIsAnErrorThatChangesNothing() throws {
    try make("CREATE TABLE \"magic_new Item\" (x)")
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      #expect(throws: MagicError.self) { try store.object(of: Rebuilt.Item.self) }
      #expect(try store.object(of: Old.Item.self).map(\.name) == ["a", "b"])
    }
    #expect(try scratch.raw().dump() == before)
  }

  @Test func aBrokenViewDoesNotPreventARebuild() throws {
    try make("CREATE VIEW mine AS SELECT gone FROM nowhere")
    try scratch.using { store throws in
      #expect(try store.object(of: Rebuilt.Item.self).map(\.name) == ["a", "b"])
    }
  }
}
