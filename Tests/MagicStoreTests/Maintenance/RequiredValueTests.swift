import CMagicSQLite
import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Required columns: the reports of SQLite's check, and the actual values.
@Suite struct RequiredValueTests {
  let scratch = Scratch()

  private func makeNotes(_ count: Int = 3) throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (1...count).map { Note("\($0)") })
    }
  }

  private func findings(limit: Int = 1_000) throws -> [MagicFinding] {
    try scratch.using { store throws in try store.verify(limit: limit).findings }
  }

  /// Makes a column required although rows have no value.
  private func require(_ column: String, ofTable table: String) throws {
    let raw = try scratch.raw()
    var value: Int32 = 0
    #expect(
      magic_sqlite3_db_config_flag(raw.handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 0, &value)
        == SQLITE_OK)
    try raw.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, '\(column)', '\(column) NOT NULL')
      WHERE name = '\(table)'
      """)
    raw.close()
  }

  /// SQLite 3.45 reports it as NULL if no row stores it.
  @Test func aRealThatIsTheDefaultOfItsColumnIsNoFinding() throws {
    try makeNotes()
    try scratch.raw().execute(
      """
      ALTER TABLE Note ADD COLUMN "size" NOT NULL DEFAULT 1.5;
      ALTER TABLE Note ADD COLUMN "a.b" REAL NOT NULL DEFAULT 2.5
      """)
    #expect(try findings() == [])
  }

  @Test func aMissingValueIsAFindingWithItsRow() throws {
    try makeNotes()
    try scratch.raw().execute(
      "ALTER TABLE Note ADD COLUMN size; UPDATE Note SET size = 1.5 WHERE z_index <> 2")
    try require("size", ofTable: "Note")
    let findings = try findings()
    #expect(findings.map(\.kind) == [.damage])
    #expect(
      findings.first?.description
        == "damage: Note.size row 2: The row has no value, but the column requires one.")
    #expect(findings.first?.type == "Note")
  }

  @Test func aMissingValueInAnUnmanagedTableIsAFinding() throws {
    try makeNotes()
    try scratch.raw().execute(
      """
      CREATE TABLE "other.table" (id PRIMARY KEY, value) WITHOUT ROWID;
      INSERT INTO "other.table" VALUES (1, NULL), (2, 3), (4, NULL)
      """)
    try require("value", ofTable: "other.table")
    #expect(
      try findings().map(\.description)
        == Array(
          repeating:
            "damage: other.table.value: The row has no value, but the column requires one.",
          count: 2))
  }

  /// Reports of SQLite about valid columns do not hide a fault after them.
  @Test func manyRealsThatAreDefaultsHideNoFinding() throws {
    try makeNotes(50)
    try scratch.raw().execute(
      """
      ALTER TABLE Note ADD COLUMN first NOT NULL DEFAULT 1.5;
      CREATE TABLE other (id INTEGER PRIMARY KEY, value);
      INSERT INTO other SELECT z_index, z_index FROM Note;
      ALTER TABLE other ADD COLUMN second NOT NULL DEFAULT 2.5;
      UPDATE other SET value = NULL WHERE id = 40;
      """)
    try require("value", ofTable: "other")
    let report = try scratch.using { store throws in try store.verify(limit: 2) }
    #expect(report.findings.map(\.column) == ["value"])
    #expect(report.isComplete)
  }

  @Test func theLimitAppliesToMissingValuesToo() throws {
    try makeNotes(10)
    try scratch.raw().execute("ALTER TABLE Note ADD COLUMN size")
    try require("size", ofTable: "Note")
    let report = try scratch.using { store throws in try store.verify(limit: 3) }
    #expect(report.findings.compactMap(\.zIndex?.rawValue) == [1, 2, 3])
    #expect(!report.isComplete)
  }
}
