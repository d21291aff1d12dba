import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The examples of adopting the tables of a GRDB file.
@Suite struct DocumentedAdoption {
  struct Tag: MagicObject {
    @PrimaryMagicValue var name: String

    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable()] } }
    }

    init() {}
  }

  struct TodoItem: MagicObject {
    @PrimaryMagicValue var id: UUID
    @MagicValue var title: String
    @MagicValue(.indexed) var isDone: Bool = false
    @MagicValue var tags: MagicalSet<Tag> = []

    static var migrations: Migrations {
      Migrations {
        MigrationStep { [.adoptTable(), .adoptJoinTable("itemTag", as: "tags")] }
      }
    }

    init() {}
  }

  /// The tables that GRDB 7 creates for the migration of the guide.
  private static let tables = """
    CREATE TABLE "grdb_migrations" ("identifier" TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "tag" ("name" TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE "todoItem" ("id" TEXT PRIMARY KEY NOT NULL, "title" TEXT NOT NULL,
      "isDone" BOOLEAN NOT NULL);
    CREATE INDEX "index_todoItem_on_isDone" ON "todoItem"("isDone");
    CREATE TABLE "itemTag" (
      "todoItemId" TEXT NOT NULL REFERENCES "todoItem"("id") ON DELETE CASCADE,
      "tagName" TEXT NOT NULL REFERENCES "tag"("name") ON DELETE CASCADE,
      PRIMARY KEY ("todoItemId", "tagName"));
    CREATE INDEX "index_itemTag_on_todoItemId" ON "itemTag"("todoItemId");
    CREATE INDEX "index_itemTag_on_tagName" ON "itemTag"("tagName");
    """

  @Test func theTablesOfAGRDBFileAreAdopted() async throws {
    try await withTemporaryDirectory { directory in
      let copyPath = directory.appendingPathComponent("todo.sqlite3").path
      let id = UUID()
      let connection = try SQLiteConnection(path: copyPath)
      try connection.execute(Self.tables)
      try connection.execute(
        """
        INSERT INTO grdb_migrations VALUES ('v1');
        INSERT INTO tag VALUES ('errands'), ('home');
        INSERT INTO todoItem VALUES ('\(id.uuidString)', 'Buy milk', 0),
          ('\(UUID().uuidString)', 'Clean', 1);
        INSERT INTO itemTag VALUES ('\(id.uuidString)', 'errands'), ('\(id.uuidString)', 'home');
        """)
      connection.close()

      let magic = try await MagicData(path: copyPath)
      try await magic.migrate(Tag.self, TodoItem.self)
      print(try await magic.object(of: TodoItem.self)[0].tags.count)

      let items = try await magic.object(of: TodoItem.self)
      #expect(items.map(\.title) == ["Buy milk", "Clean"])
      #expect(items.map(\.isDone) == [false, true] && items[0].id == id)
      #expect(items[0].tags.map(\.name).sorted() == ["errands", "home"])
      #expect(items[1].tags.isEmpty)
      #expect(try await magic.verify().isSound)
      await magic.close()
    }
  }
}
