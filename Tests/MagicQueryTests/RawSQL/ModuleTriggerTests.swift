import CMagicSQLite
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Triggers that keep a table of a module equal to the table of a type, as SQLite's manual shows them. A module
/// decides whether the schema of an untrusted file may write to its tables.
@Suite struct ModuleTriggerTests {
  /// A table of a module, its triggers, and a query that finds the row of a note by its rank.
  struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    let table: String
    let triggers: [String]
    let find: String

    var testDescription: String { name }

    var isThere: Bool {
      name == "fts5" || sqlite3_compileoption_used("ENABLE_\(name.uppercased())") != 0
    }

    /// Whether this SQLite lets triggers write to tables of the module, determined without the library.
    func letsTriggersWrite() throws -> Bool {
      var connection: OpaquePointer?
      defer { sqlite3_close(connection) }
      let sql = """
        PRAGMA trusted_schema = OFF;
        CREATE TABLE Note (z_index INTEGER PRIMARY KEY, text, rank INTEGER);
        \(table); \(triggers.joined(separator: ";"))
        """
      try #require(sqlite3_open(":memory:", &connection) == SQLITE_OK)
      try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
      let insert = "INSERT INTO Note (text, rank) VALUES ('rank7', 7)"
      return sqlite3_exec(connection, insert, nil, nil, nil) == SQLITE_OK
    }
  }

  static let modules = [
    Module(
      name: "fts5",
      table:
        "CREATE VIRTUAL TABLE place USING fts5(text, content = 'Note', content_rowid = 'z_index')",
      triggers: [
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
      ],
      find: "SELECT rowid FROM place WHERE place MATCH 'rank' || ?"),
    Module(
      name: "fts4",
      table: "CREATE VIRTUAL TABLE place USING fts4(content=\"Note\", text)",
      triggers: [
        "CREATE TRIGGER a BEFORE UPDATE ON Note BEGIN DELETE FROM place WHERE docid = OLD.z_index; END",
        "CREATE TRIGGER b BEFORE DELETE ON Note BEGIN DELETE FROM place WHERE docid = OLD.z_index; END",
        """
        CREATE TRIGGER c AFTER UPDATE ON Note BEGIN
          INSERT INTO place (docid, text) VALUES (NEW.z_index, NEW.text); END
        """,
        """
        CREATE TRIGGER d AFTER INSERT ON Note BEGIN
          INSERT INTO place (docid, text) VALUES (NEW.z_index, NEW.text); END
        """,
      ],
      find: "SELECT docid FROM place WHERE place MATCH 'rank' || ?"),
    Module(
      name: "rtree",
      table: "CREATE VIRTUAL TABLE place USING rtree(id, low, high)",
      triggers: [
        """
        CREATE TRIGGER a AFTER INSERT ON Note BEGIN
          INSERT INTO place VALUES (NEW.z_index, NEW.rank, NEW.rank); END
        """,
        """
        CREATE TRIGGER b AFTER UPDATE ON Note BEGIN
          UPDATE place SET low = NEW.rank, high = NEW.rank WHERE id = OLD.z_index; END
        """,
        "CREATE TRIGGER c AFTER DELETE ON Note BEGIN DELETE FROM place WHERE id = OLD.z_index; END",
      ],
      find: "SELECT id FROM place WHERE low = ?"),
  ].filter(\.isThere)

  private let test: TestStore
  private var store: MagicObjectStore { test.store }

  init() throws {
    test = try TestStore()
    try test.store.update(note(1))
  }

  private func note(_ rank: Int) -> Note { Note("rank\(rank)", rank: rank) }

  private func expectUntrusted(
    at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: MagicError.self, sourceLocation: location) { try body() }
    #expect(error?.code == .untrustedSchema, "\(error as Any)", sourceLocation: location)
    #expect(error?.type == "Note", sourceLocation: location)
    #expect(error?.message.contains("Drop it") == true, sourceLocation: location)
  }

  private func found(_ rank: Int, by module: Module) throws -> [Int64] {
    let read = try test.scratch.raw()
    defer { read.close() }
    let statement = try read.prepare(module.find)
    try statement.bind(Int64(rank), at: 1)
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement.column(0).integer) }
    return rows
  }

  @Test(arguments: modules) func triggersThatUsersCreateWorkOrAreRefused(_ module: Module) throws {
    try store.sql("\(raw: module.table)").run()
    guard try module.letsTriggersWrite() else {
      for trigger in module.triggers {
        expectUntrusted { try store.sql("\(raw: trigger)").run() }
      }
      try store.update(note(2))
      return
    }
    for trigger in module.triggers { try store.sql("\(raw: trigger)").run() }
    try expectEqualTables(module)
  }

  /// Another program has created the triggers.
  @Test(arguments: modules) func triggersOfTheFileWorkOrTheErrorOfASaveSaysWhatToDo(
    _ module: Module
  ) throws {
    try test.scratch.change(([module.table] + module.triggers).joined(separator: ";"))
    guard try module.letsTriggersWrite() else {
      let new = note(2)
      expectUntrusted { try store.update(new) }
      #expect(new.zIndex == nil)
      let old = try #require(try store.object(of: Note.self).first)
      old.text = "other"
      expectUntrusted { try store.update(old) }
      expectUntrusted { try store.remove(old) }
      #expect(try store.object(of: Note.self).map(\.text) == ["rank1"])
      return
    }
    try expectEqualTables(module)
  }

  private func expectEqualTables(_ module: Module) throws {
    let note = note(7)
    try store.update(note)
    let row = try #require(note.zIndex?.rawValue)
    #expect(try found(7, by: module) == [row])
    (note.text, note.rank) = ("rank8", 8)
    try store.update(note)
    #expect(try found(7, by: module) == [])
    #expect(try found(8, by: module) == [row])
    try store.remove(note)
    #expect(try found(8, by: module) == [])
  }
}
