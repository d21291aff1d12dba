import CMagicSQLite
import MagicTestSupport
import Testing

@testable import MagicSQLite

/// The collations of connections.
@Suite struct CollationTests {
  private func texts(_ sql: String, on connection: SQLiteConnection) throws -> [String] {
    try connection.textColumn(sql)
  }

  @Test func everyConnectionHasTheCollationsOfLocales() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    for access in [SQLiteConfiguration.Access.readWrite, .readOnly, .immutable] {
      let connection = try scratch.connection(.init(access: access))
      #expect(
        try texts(
          "SELECT column1 FROM (VALUES ('Zoe'), ('ada'), ('Éva')) "
            + "ORDER BY 1 COLLATE \"magic_localized_de\"", on: connection) == ["ada", "Éva", "Zoe"])
      connection.close()
    }
  }

  @Test func theNameOfACollationHasNoCase() throws {
    let connection = try memory()
    #expect(
      try texts(
        "SELECT column1 FROM (VALUES ('z'), ('ä')) ORDER BY 1 COLLATE \"MAGIC_localized_sv\"",
        on: connection) == ["z", "ä"])
  }

  @Test(arguments: ["magic_localized_", "magic_localized_d e", "other", "magic_localized_\u{E4}"])
  func aNameThatIsNoCollationIsSQLitesError(_ name: String) throws {
    let connection = try memory()
    let error = sqliteError {
      _ = try connection.prepare("SELECT 1 ORDER BY 'a' COLLATE \"\(name)\"")
    }
    #expect(error?.message == "no such collation sequence: \(name)")
  }

  @Test func textsOfInvalidBytesAreCompared() throws {
    let connection = try memory()
    #expect(
      try connection.textColumn(
        """
        SELECT hex(column1) FROM (VALUES (CAST(x'FF' AS TEXT)), (CAST(x'610062' AS TEXT)), \
        (CAST(x'' AS TEXT)), (CAST(x'61' AS TEXT))) ORDER BY column1 COLLATE "magic_localized_de"
        """
      ).first == "")
    #expect(
      try connection.integer(
        "SELECT CAST(x'FF' AS TEXT) COLLATE \"magic_localized_de\" = CAST(x'FE' AS TEXT)") == 0)
  }

  @Test func anotherProgramGetsSQLitesErrorAndReadsTheRest() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute(
      "CREATE TABLE item (name TEXT COLLATE \"magic_localized_de\", age INTEGER); "
        + "INSERT INTO item VALUES ('b', 1), ('a', 2)")
    connection.close()
    var database: OpaquePointer?
    try #require(
      sqlite3_open_v2(scratch.file(), &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(database) }
    #expect(
      sqlite3_exec(database, "SELECT name FROM item ORDER BY age", nil, nil, nil) == SQLITE_OK)
    #expect(
      sqlite3_exec(database, "SELECT name FROM item ORDER BY name", nil, nil, nil) == SQLITE_ERROR)
    let message = sqlite3_errmsg(database).map { String(cString: $0) }
    #expect(message == "no such collation sequence: magic_localized_de")
  }
}
