import CMagicSQLite
import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Virtual tables, created and read by raw SQL.
@Suite struct VirtualTableTests {
  /// A module, and a query that finds one row of two.
  struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    let make: [String]
    let find: String

    var testDescription: String { name }

    /// Whether this SQLite has the module. Every supported SQLite has FTS5 and JSON.
    var isThere: Bool {
      switch name {
      case "dbstat": sqlite3_compileoption_used("ENABLE_DBSTAT_VTAB") != 0
      case "fts4", "rtree": sqlite3_compileoption_used("ENABLE_\(name.uppercased())") != 0
      default: true
      }
    }
  }

  static let modules = all.filter(\.isThere)

  private static let all = [
    Module(
      name: "fts5",
      make: [
        "CREATE VIRTUAL TABLE place USING fts5(body)",
        "INSERT INTO place (rowid, body) VALUES (1, 'an oak by the river'), (2, 'an elm')",
      ],
      find: "SELECT rowid FROM place WHERE place MATCH 'oak' ORDER BY rank"),
    Module(
      name: "fts5 by functions",
      make: [
        "CREATE VIRTUAL TABLE place USING fts5(body, tokenize = 'porter', prefix = '2 3')",
        "INSERT INTO place (rowid, body) VALUES (1, 'many oaks'), (2, 'an elm')",
      ],
      find: """
        SELECT rowid FROM place('body : oak*') WHERE highlight(place, 0, '<', '>') LIKE '%<oaks>%' \
        AND snippet(place, 0, '', '', '', 5) <> '' ORDER BY bm25(place)
        """),
    Module(
      name: "fts5 of other content",
      make: [
        """
        CREATE VIRTUAL TABLE place USING fts5(text, content = 'Note', content_rowid = 'z_index')
        """,
        "INSERT INTO place (place) VALUES ('rebuild')",
      ],
      find: "SELECT rowid FROM place WHERE place MATCH 'oak'"),
    Module(
      name: "fts5vocab",
      make: [
        "CREATE VIRTUAL TABLE words USING fts5(body)",
        "INSERT INTO words VALUES ('oak'), ('elm')",
        "CREATE VIRTUAL TABLE place USING fts5vocab(words, 'row')",
      ],
      find: "SELECT doc FROM place WHERE term = 'oak'"),
    Module(
      name: "fts4",
      make: [
        "CREATE VIRTUAL TABLE place USING fts4(body)",
        "INSERT INTO place (docid, body) VALUES (1, 'an oak'), (2, 'an elm')",
      ],
      find: "SELECT docid FROM place WHERE place MATCH 'oak'"),
    Module(
      name: "rtree",
      make: [
        "CREATE VIRTUAL TABLE place USING rtree(id, x1, x2, y1, y2)",
        "INSERT INTO place VALUES (1, 0, 1, 0, 1), (2, 5, 6, 5, 6)",
      ],
      find: "SELECT id FROM place WHERE x1 < 2 AND y2 > 0.5"),
    Module(
      name: "json_each",
      make: ["CREATE TABLE place (json)", "INSERT INTO place VALUES ('[1, 2]')"],
      find: "SELECT each.value FROM place, json_each(place.json) AS each WHERE each.key = 0"),
    Module(
      name: "dbstat", make: [],
      find: "SELECT sum(pgsize) > 0 FROM dbstat WHERE name = 'Note' AND aggregate = TRUE"),
  ]

  private let test: TestStore
  private var store: MagicObjectStore { test.store }
  private var path: String { test.scratch.file() }

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [Note("an oak", rank: 1), Note("an elm", rank: 2)])
  }

  private func make(_ module: Module) throws {
    for statement in module.make { try store.sql("\(raw: statement)").run() }
  }

  @Test(arguments: modules) func rowsAreFoundInsideAndOutsideOfTransactions(
    _ module: Module
  ) throws {
    try make(module)
    let find: MagicSQL = "\(raw: module.find)"
    for rank in 3...4 {
      #expect(try store.sql(find).rows(Int.self) == [1])
      #expect(try store.read { try $0.sql(find).rows(Int.self) } == [1])
      #expect(try store.transaction { try $0.sql(find).rows(Int.self) } == [1])
      try store.update(Note("an ash", rank: rank))
    }
  }

  @Test(arguments: modules) func rowsAreFoundByConnectionsThatOpenTheFile(_ module: Module) throws {
    try make(module)
    store.close()
    let find: MagicSQL = "\(raw: module.find)"
    for readOnly in [false, true] {
      let other = try MagicObjectStore.open(.file(path), options: MagicOptions(readOnly: readOnly))
      #expect(try other.sql(find).rows(Int.self) == [1])
      _ = try other.sql(find).explain()
      other.close()
    }
  }

  @Test(arguments: modules) func rowsAreFoundAfterAnotherConnectionChangedTheFile(
    _ module: Module
  ) throws {
    try make(module)
    let find: MagicSQL = "\(raw: module.find)"
    #expect(try store.sql(find).rows(Int.self) == [1])
    let other = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
    for change in ["UPDATE Note SET mark = 3", "CREATE TABLE another (x)", "DROP TABLE another"] {
      try other.execute(change)
      #expect(try store.sql(find).rows(Int.self) == [1])
    }
  }

  @Test func objectsAreFoundByTheirText() throws {
    try make(Self.modules[2])
    let found = try store.sql(
      "SELECT rowid AS z_index FROM place WHERE place MATCH \("elm") ORDER BY rank"
    ).objects(of: Note.self)
    #expect(found.map(\.text) == ["an elm"])
  }
}

/// The access that modules need does not let SQL of a user change settings.
@Suite struct ModuleSettingTests {
  private let test: TestStore
  private var store: MagicObjectStore { test.store }

  init() throws {
    test = try TestStore()
    try test.store.update(Note("an oak", rank: 1))
  }

  private func expectRefusal(_ sql: String, at location: SourceLocation = #_sourceLocation) {
    let statement: MagicSQL = "\(raw: sql)"
    for run in [
      { _ = try store.sql(statement).run() }, { _ = try store.sql(statement).rows() },
      { try store.transaction { _ = try $0.sql(statement).rows() } },
    ] as [() throws -> Void] {
      let error = #expect(throws: MagicError.self, sourceLocation: location) { try run() }
      #expect(error?.code == .invalidQuery, "\(sql): \(error as Any)", sourceLocation: location)
    }
  }

  @Test(arguments: [
    "PRAGMA data_version", "PRAGMA page_size", "PRAGMA main.page_size", "PRAGMA page_size = 8192",
    "PRAGMA page_size(8192)", "EXPLAIN PRAGMA page_size = 8192", "EXPLAIN PRAGMA foreign_keys = 0",
    "EXPLAIN QUERY PLAN PRAGMA writable_schema = 1", "EXPLAIN PRAGMA journal_mode",
    "EXPLAIN PRAGMA data_version", "EXPLAIN PRAGMA main.page_size",
  ]) func settingsAreNotChangedByStatements(_ sql: String) { expectRefusal(sql) }

  @Test func functionsAndViewsShowSettingsAndChangeNone() throws {
    let settings: MagicSQL = """
      SELECT (SELECT page_size FROM pragma_page_size), \
      (SELECT foreign_keys FROM pragma_foreign_keys), \
      (SELECT journal_mode FROM pragma_journal_mode), (SELECT count(*) FROM pragma_data_version())
      """
    let before = try store.sql(settings).rows(Int.self, Int.self, String.self, Int.self)
    #expect(before.count == 1)
    expectRefusal("SELECT * FROM pragma_page_size(8192)")
    expectRefusal("SELECT * FROM pragma_foreign_keys(0)")
    expectRefusal("SELECT * FROM pragma_journal_mode('delete')")
    expectRefusal("SELECT * FROM pragma_data_version WHERE arg = 5")
    try store.sql("CREATE VIEW shown AS SELECT data_version FROM pragma_data_version").run()
    _ = try? store.sql("SELECT * FROM shown").rows()
    try store.sql("CREATE TABLE log (x)").run()
    try store.sql(
      """
      CREATE TRIGGER t AFTER INSERT ON log BEGIN
        UPDATE Note SET mark = (SELECT data_version FROM pragma_data_version); END
      """
    ).run()
    _ = try? store.sql("INSERT INTO log VALUES (1)").run()
    let after = try store.sql(settings).rows(Int.self, Int.self, String.self, Int.self)
    #expect(after.map(\.0) == before.map(\.0))
    #expect(after.map(\.1) == [1])
    #expect(after.map(\.2) == ["wal"])
  }
}
