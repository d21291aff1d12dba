import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import SQLiteStore
import TestModels
import Testing

/// The SQL of a type, and the time at which it runs.
@Suite struct TableDefinitionTests {
  let scratch = Scratch()

  @Test func aTypeHasATableIndexesAndATrigger() throws {
    try scratch.using { store in _ = try store.update(Book(title: "t", author: "a")) }
    let definitions = try scratch.raw().definitions(of: "Book")
    let columns = [
      #""z_index" INTEGER PRIMARY KEY"#, #""id" TEXT NOT NULL"#, #""title" TEXT NOT NULL"#,
      #""writer" TEXT NOT NULL"#, #""pages" INTEGER NOT NULL"#, #""price""#, #""cover" BLOB"#,
      #""isLent" INTEGER NOT NULL"#,
    ]
    #expect(
      definitions.first == #"CREATE TABLE "Book" (\#(columns.joined(separator: ", ")))"#)
    let indexes = definitions.dropFirst().filter { $0.contains("INDEX") }
    #expect(indexes.count == 4)
    #expect(indexes.contains { $0.hasPrefix("CREATE UNIQUE INDEX") && $0.hasSuffix(#"("id")"#) })
    #expect(indexes.contains { $0.hasPrefix("CREATE INDEX") && $0.hasSuffix(#"("title")"#) })
    #expect(
      indexes.contains { $0.hasPrefix("CREATE INDEX") && $0.hasSuffix(#"("writer", "title")"#) })
    #expect(
      indexes.contains {
        $0.hasPrefix("CREATE UNIQUE INDEX") && $0.hasSuffix(#"("pages", "price")"#)
      }
    )
    let triggers = definitions.filter { $0.contains("CREATE TRIGGER") }
    #expect(triggers.count == 1)
    #expect(triggers.first?.contains(#"AFTER DELETE ON "Book""#) == true)
    #expect(definitions.count == 6)
  }

  @Test func theCatalogueHasARowForEveryTable() throws {
    try scratch.using { store throws in
      try store.update(Note("a"))
      try store.update(Ticket("t"))
    }
    let connection = try scratch.raw()
    #expect(
      try connection.texts("SELECT table_name FROM magic_catalogue ORDER BY table_name")
        == ["Note", "Ticket"])
    #expect(try connection.integer("SELECT version FROM magic_format") == 3)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test func theTransactionOfTheFirstWriteCreatesTheTable() throws {
    let recorder = Recorder<String>()
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
      recorder.clear()
      try store.update(Note("a"))
      let lines = recorder.all
      #expect(lines.filter { $0.hasPrefix("BEGIN") }.count == 1)
      #expect(lines.filter { $0.hasPrefix("COMMIT") }.count == 1)
      let begin = lines.firstIndex { $0.hasPrefix("BEGIN") }
      let create = lines.firstIndex { $0.hasPrefix("CREATE TABLE \"Note\"") }
      let insert = lines.firstIndex { $0.hasPrefix("INSERT INTO \"Note\"") }
      let commit = lines.firstIndex { $0.hasPrefix("COMMIT") }
      #expect([begin, create, insert, commit].compactMap { $0 }.count == 4)
      #expect(begin ?? 0 < create ?? 0)
      #expect(create ?? 0 < insert ?? 0)
      #expect(insert ?? 0 < commit ?? 0)
      recorder.clear()
      try store.update(Note("b"))
      #expect(!recorder.all.contains { $0.contains("CREATE") })
    }
  }

  @Test func aFailedFirstSaveLeavesNoTable() throws {
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(Note()) }
      #expect(error?.code == .missingValue)
      let connection = try scratch.raw()
      #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 0)
      try store.update(Note("a"))
      #expect(try store.object(of: Note.self).count == 1)
    }
  }

  @Test func aReadCreatesNoTable() throws {
    try scratch.using { store throws in
      #expect(try store.object(of: Note.self).isEmpty)
      #expect(try store.has(of: Ticket.self, primary: 1) == false)
      try store.removeAll(of: Note.self)
    }
    #expect(try scratch.raw().integer("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test func columnsKeepTheOrderOfTheProperties() throws {
    try scratch.using { store in _ = try store.update(Book(title: "t", author: "a")) }
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Book')")
        == ["z_index", "id", "title", "writer", "pages", "price", "cover", "isLent"])
  }

  @Test func thePrimaryLookupUsesItsIndex() throws {
    try scratch.using { store in _ = try store.update(Book(title: "t", author: "a")) }
    let statement = try scratch.raw().prepare(
      "EXPLAIN QUERY PLAN SELECT * FROM Book WHERE id = 'x'")
    #expect(try statement.step())
    #expect(statement.column(3).text.contains("USING INDEX"))
  }

  @Test func theDatabaseIsInWriteAheadModeAndEnforcesForeignKeys() throws {
    let recorder = Recorder<String>()
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
      _ = try store.update(Note("a"))
    }
    #expect(try scratch.raw().text("PRAGMA journal_mode") == "wal")
    #expect(recorder.all.contains { $0.contains("foreign_keys = ON") })
  }
}

private struct Book: MagicObject {
  static var tableName: String { "Book" }
  static var indexes: [MagicIndex<Book>] {
    [MagicIndex(\.$author, \.$title), MagicIndex(\.$pages, \.$price, isUnique: true)]
  }

  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var title: String
  @MagicValue(.named("writer")) var author: String
  @MagicValue var pages: Int = 100
  @OptionMagicValue var price: Double?
  @OptionMagicValue var cover: Data?
  @MagicValue var isLent: Bool = false

  init() {}
  init(title: String, author: String) {
    self.title = title
    self.author = author
  }
}
