import CMagicSQLite
import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Triggers with operations that SQLite refuses in the schema of a file: they are refused when they
/// are created, and the error of a save that fires one says what to do.
@Suite struct UntrustedTriggerTests {
  private let test: TestStore
  private var store: MagicObjectStore { test.store }
  private var path: String { test.scratch.file() }

  init() throws {
    test = try TestStore()
    try test.store.update(Note("an oak", rank: 1))
  }

  /// Refused by every supported version.
  fileprivate static let refused = [
    "CREATE TRIGGER t AFTER INSERT ON Note BEGIN SELECT load_extension('x'); END",
    "CREATE TRIGGER t BEFORE UPDATE OF mark ON Note BEGIN SELECT load_extension('x'); END",
    "/* of mine */ create trigger t AFTER DELETE ON Note BEGIN SELECT load_extension('x'); END",
  ]

  private func expectUntrusted(
    type: String? = "Note", at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: MagicError.self, sourceLocation: location) { try body() }
    #expect(error?.code == .untrustedSchema, "\(error as Any)", sourceLocation: location)
    #expect(error?.type == type, sourceLocation: location)
    #expect(error?.message.contains("Drop it") == true, sourceLocation: location)
  }

  private func raw() throws -> SQLiteConnection {
    try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
  }

  @Test(arguments: refused)
  func aTriggerThatNoSaveCouldRunIsRefusedWhenItIsCreated(_ sql: String) throws {
    expectUntrusted { try store.sql("\(raw: sql)").run() }
    try store.transaction { transaction in
      expectUntrusted { try transaction.sql("\(raw: sql)").run() }
      try transaction.update(Note("an elm", rank: 2))
    }
    #expect(
      try store.sql("SELECT count(*) FROM sqlite_master WHERE name = 't'").value(Int.self) == 0)
    #expect(try store.query(Note.self).count() == 2)
  }

  @Test func theErrorOfASaveThatFiresSuchATriggerSaysWhatToDo() throws {
    let note = try #require(try store.object(of: Note.self).first)
    try raw().execute(
      """
      CREATE TRIGGER a AFTER INSERT ON Note BEGIN SELECT load_extension('x'); END;
      CREATE TRIGGER b AFTER UPDATE ON Note BEGIN SELECT load_extension('x'); END;
      CREATE TRIGGER c AFTER DELETE ON Note BEGIN SELECT load_extension('x'); END
      """)
    let new = Note("an elm", rank: 2)
    note.mark = 3
    expectUntrusted { try store.update(new) }
    expectUntrusted { try store.update(note) }
    expectUntrusted { try store.remove(note) }
    expectUntrusted(type: nil) { try store.sql("DELETE FROM Note").run() }
    #expect(new.zIndex == nil)
    for trigger in ["a", "b", "c"] { try store.sql("DROP TRIGGER \(raw: trigger)").run() }
    try store.update(contentsOf: [new, note])
    #expect(try store.object(of: Note.self).map(\.mark) == [3, nil])
  }

  @Test func aViewWithSuchAnOperationIsNotRead() throws {
    try store.sql("CREATE VIEW v AS SELECT load_extension('x') FROM Note").run()
    expectUntrusted(type: nil) { _ = try store.sql("SELECT * FROM v").rows() }
  }

  @Test func triggersWithOtherFaultsAreCreated() throws {
    try store.sql("CREATE TRIGGER a AFTER INSERT ON Note BEGIN DELETE FROM missing; END").run()
    try store.sql("DROP TRIGGER a").run()
    try store.sql(
      "CREATE TRIGGER a AFTER INSERT ON Note BEGIN DELETE FROM Note WHERE rank = 9; END"
    )
    .run()
    try store.update(Note("an elm", rank: 2))
    #expect(try store.query(Note.self).count() == 2)
  }

  private enum Later {
    struct Note: MagicObject {
      @MagicValue var text: String = ""
      @MagicValue(.unique) var rank: Int = 0
      @OptionMagicValue var mark: Int?
      @MagicValue var isDone: Bool = false

      static var migrations: Migrations {
        Migrations { MigrationStep { [.sql(UntrustedTriggerTests.refused[0])] } }
      }
    }
  }

  @Test func aStepThatCreatesSuchATriggerIsRefused() throws {
    store.close()
    let later = try MagicObjectStore.open(.file(path))
    defer { later.close() }
    expectUntrusted { _ = try later.object(of: Later.Note.self) }
    #expect(try later.sql("SELECT text FROM Note").rows(String.self) == ["an oak"])
  }

  /// The triggers of SQLite's manual for a full-text index of another table.
  private static let manual = [
    """
    CREATE TRIGGER place_in AFTER INSERT ON Note BEGIN
      INSERT INTO place (rowid, text) VALUES (NEW.z_index, NEW.text); END
    """,
    """
    CREATE TRIGGER place_out AFTER DELETE ON Note BEGIN
      INSERT INTO place (place, rowid, text) VALUES ('delete', OLD.z_index, OLD.text); END
    """,
    """
    CREATE TRIGGER place_change AFTER UPDATE ON Note BEGIN
      INSERT INTO place (place, rowid, text) VALUES ('delete', OLD.z_index, OLD.text);
      INSERT INTO place (rowid, text) VALUES (NEW.z_index, NEW.text); END
    """,
  ]

  private static let place =
    "CREATE VIRTUAL TABLE place USING fts5(text, content = 'Note', content_rowid = 'z_index')"

  /// Whether this SQLite lets triggers write to tables of FTS5, determined without the library.
  private func letsTriggersWriteText() throws -> Bool {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(":memory:", &connection) == SQLITE_OK)
    try #require(
      sqlite3_exec(
        connection,
        """
        PRAGMA trusted_schema = OFF; CREATE TABLE Note (z_index INTEGER PRIMARY KEY, text);
        \(Self.place); \(Self.manual[0])
        """, nil, nil, nil) == SQLITE_OK)
    return sqlite3_exec(connection, "INSERT INTO Note (text) VALUES ('x')", nil, nil, nil)
      == SQLITE_OK
  }

  private func found(_ word: String) throws -> [String] {
    try store.sql("SELECT rowid AS z_index FROM place WHERE place MATCH \(word)")
      .objects(of: Note.self).map(\.text)
  }

  @Test func theTriggersOfSQLitesManualWorkIfItAllowsThemOrAreRefused() throws {
    try store.sql("\(raw: Self.place)").run()
    try store.sql("INSERT INTO place (place) VALUES ('rebuild')").run()
    guard try letsTriggersWriteText() else {
      for trigger in Self.manual {
        for kind in ["CREATE TRIGGER", "CREATE TEMP TRIGGER", "create /**/ temporary trigger"] {
          let made = trigger.replacingOccurrences(of: "CREATE TRIGGER", with: kind)
          expectUntrusted { try store.sql("\(raw: made)").run() }
        }
      }
      try store.update(Note("an elm", rank: 2))
      return
    }
    for trigger in Self.manual { try store.sql("\(raw: trigger)").run() }
    let note = Note("an elm", rank: 2)
    try store.update(note)
    #expect(try found("elm") == ["an elm"])
    note.text = "an ash"
    try store.update(note)
    #expect(try found("elm") == [])
    #expect(try found("ash") == ["an ash"])
    try store.remove(note)
    #expect(try found("ash") == [])
    #expect(try found("oak") == ["an oak"])
  }

  /// The alternative that the error text names.
  @Test func sqlWritesTheTextInTheTransactionOfTheSave() throws {
    try store.sql("\(raw: Self.place)").run()
    try store.transaction { transaction in
      let zIndex = try transaction.update(Note("an elm", rank: 2))
      try transaction.sql("INSERT INTO place (rowid, text) VALUES (\(zIndex), \("an elm"))").run()
      let found = try transaction.sql("SELECT rowid FROM place WHERE place MATCH 'elm'")
        .rows(Int64.self)
      #expect(found == [zIndex.rawValue])
    }
    #expect(try found("elm") == ["an elm"])
  }
}
