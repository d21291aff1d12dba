import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

// The app of the guides for users of another library: a to-do list with tags and a live list.

struct Tag: MagicObject {
  @PrimaryMagicValue var name: String
  @ReverseMagicValue(\TodoItem.$tags) var items: AsyncReverseMagicSet<TodoItem>

  init() {}

  init(name: String) {
    self.name = name
  }
}

struct TodoItem: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue var title: String
  @MagicValue(.indexed) var isDone: Bool = false
  @MagicValue var tags: MagicalSet<Tag> = []

  init() {}

  init(title: String) {
    self.title = title
  }
}

@Suite(.timeLimit(.minutes(5))) struct DocumentedGuides {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("todo.sqlite3").path }

  @Test func aListOfThingsToDo() async throws {
    let magic = try await MagicData(path: path)

    let errands = Tag(name: "errands")
    let milk = TodoItem(title: "Buy milk")
    milk.tags.insert(errands)
    try await magic.update(milk)

    let openItems = magic.query(TodoItem.self)
      .where(\.$isDone == false)
      .where { $0.$tags.contains { $0.$name == "errands" } }
      .order(by: \.$title)
    let titles = try await openItems.all().map(\.title)

    let sameItems = magic.query(TodoItem.self)
      .where(text: "isDone == NO AND ANY tags.name == %@", "errands")
      .order(text: "title ASC")

    #expect(titles == ["Buy milk"])
    #expect(try await sameItems.all().map(\.title) == titles)
    let count = try await errands.items.count
    #expect(count == 1)

    let watching = Task {
      for try await items in openItems.values() {
        print(items.map(\.title))
      }
    }

    milk.isDone = true
    try await magic.update(milk)

    #expect(try await openItems.all().isEmpty)

    try await magic.query(TodoItem.self).where(\.$isDone == true).delete()

    #expect(try await magic.object(of: TodoItem.self).isEmpty)
    #expect(try await magic.has(of: Tag.self, primary: "errands"))
    watching.cancel()
    _ = await watching.result
    await magic.close()
  }

  @Test func itemsAreFoundByPrimaryAndClosure() async throws {
    let magic = try await MagicData(path: path)
    let milk = TodoItem(title: "Buy milk")
    try await magic.update(milk)

    let id = milk.id
    let found = try await magic.object(of: TodoItem.self, primary: id)
    let first = try await magic.object(of: TodoItem.self).where { $0.title == "Buy milk" }

    #expect(found.isSameRow(as: first))

    try await magic.transaction { transaction in
      let item = try transaction.object(of: TodoItem.self, primary: id)
      item.title = "Buy oat milk"
      try transaction.update(item)
    }

    let rows = try await magic.sql(
      """
      SELECT \(column: \TodoItem.$title) FROM \(table: TodoItem.self)
      WHERE \(column: \TodoItem.$isDone) = \(false)
      """
    ).rows(String.self)

    #expect(rows == ["Buy oat milk"])
    #expect(milk.title == "Buy milk")
    await magic.close()
  }

  @Test func aDatabaseOfTheOriginalLibraryIsImported() async throws {
    let old = directory.file("default.sqlite3").path
    let connection = try SQLiteConnection(path: old)
    try connection.execute(
      """
      CREATE TABLE "0Table_Info" ("table_name" TEXT PRIMARY KEY, "version" INTEGER, "z_index_count" INTEGER);
      INSERT INTO "0Table_Info" VALUES ('Tag', 0, 1), ('TodoItem', 0, 1);
      CREATE TABLE "Tag" ("_name" TEXT PRIMARY KEY, "z_index" INTEGER UNIQUE);
      INSERT INTO "Tag" VALUES ('errands', 0);
      CREATE TABLE "TodoItem" ("_id" TEXT PRIMARY KEY, "_title" TEXT, "_isDone" INTEGER, "_tags" BLOB,
        "z_index" INTEGER UNIQUE);
      INSERT INTO "TodoItem" VALUES ('\(UUID().uuidString)', 'Buy milk', 1, CAST('[0]' AS BLOB), 0);
      """)
    connection.close()

    let plan = try await MagicData.importPlan(
      ofOriginalMagicData: old, as: [TodoItem.self, Tag.self])
    print(plan)  // the types, their rows and properties, and what would be lost
    #expect(plan.types.map(\.rows) == [1, 1] && plan.losses.isEmpty)

    let imported = try await MagicData.copy(
      from: .originalMagicData(old, as: [TodoItem.self, Tag.self]), to: .file(path))
    print("\(imported.rows) objects, \(imported.members) members, \(imported.assets) assets")

    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Tag.self, primary: "errands").items.count == 1)
    await magic.close()
  }
}
