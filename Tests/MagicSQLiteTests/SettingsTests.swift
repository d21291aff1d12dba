import CMagicSQLite
import MagicTestSupport
import Testing

@testable import MagicSQLite

@Suite struct SettingsTests {
  private func flag(_ option: Int32, of connection: SQLiteConnection) throws -> Bool {
    var value: Int32 = -1
    let code = magic_sqlite3_db_config_flag(connection.handle.pointer!, option, -1, &value)
    try #require(code == SQLITE_OK)
    return value != 0
  }

  @Test(arguments: [
    SQLiteConfiguration.Access.readWrite, .readWriteExisting, .readOnly, .immutable,
  ])
  func everyConnectionHasTheSameSafetySettings(_ access: SQLiteConfiguration.Access) throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    try check(scratch.connection(.init(access: access)))
    try check(memory())
  }

  private func check(_ connection: SQLiteConnection) throws {
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try connection.integer("PRAGMA recursive_triggers") == 1)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
    #expect(try connection.integer("PRAGMA mmap_size") ?? 0 == 0)
    #expect(try connection.integer("PRAGMA cache_size") == -65_536)
    #expect(try flag(SQLITE_DBCONFIG_DEFENSIVE, of: connection))
    #expect(try !flag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, of: connection))
    #expect(try !flag(SQLITE_DBCONFIG_DQS_DML, of: connection))
    #expect(try !flag(SQLITE_DBCONFIG_DQS_DDL, of: connection))
    #expect(try !flag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, of: connection))
    #expect(try flag(SQLITE_DBCONFIG_ENABLE_QPSG, of: connection))
  }

  @Test func aFileIsWrittenThroughTheWriteAheadLog() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.integer("PRAGMA secure_delete") == 2)
    #expect(try connection.integer("PRAGMA journal_size_limit") == 16_777_216)
    try connection.execute("CREATE TABLE t (a)")
    #expect(scratch.names.contains("test.sqlite3-wal"))
  }

  @Test(arguments: [
    (SQLiteConfiguration.Durability.off, Int64(0)), (.normal, 1), (.full, 2),
  ])
  func durabilityDeterminesWhenTheDiskIsSynced(
    _ durability: SQLiteConfiguration.Durability, _ synchronous: Int64
  ) throws {
    let scratch = Scratch()
    let connection = try scratch.connection(.init(durability: durability))
    #expect(try connection.integer("PRAGMA synchronous") == synchronous)
    #expect(try connection.integer("PRAGMA checkpoint_fullfsync") == (durability == .full ? 1 : 0))
  }

  @Test func durabilityCanBeChangedLater() throws {
    let scratch = Scratch()
    let connection = try scratch.connection(.init(durability: .normal))
    try connection.setDurability(.full)
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    try connection.setDurability(.off)
    #expect(try connection.integer("PRAGMA synchronous") == 0)
  }

  @Test func durabilitiesAreOrdered() {
    #expect(SQLiteConfiguration.Durability.off < .normal)
    #expect(SQLiteConfiguration.Durability.normal < .full)
  }

  @Test func theCacheSizeIsInKibibytes() throws {
    #expect(try memory(.init(cacheSize: 100)).integer("PRAGMA cache_size") == -100)
    #expect(try memory(.init(cacheSize: -5)).integer("PRAGMA cache_size") == -1)
  }

  @Test func theBusyTimeoutIsInSeconds() throws {
    #expect(try memory(.init(busyTimeout: 0.25)).handle.busyTimeout == 250)
    #expect(try memory(.init(busyTimeout: -1)).handle.busyTimeout == 0)
    for endless in [Double.infinity, 1e300] {
      let timeout = try memory(.init(busyTimeout: endless)).handle.busyTimeout
      #expect(timeout == Int32.max, "\(endless)")
    }
  }

  @Test func theDefaultsAreTheDurableOnes() {
    let configuration = SQLiteConfiguration()
    #expect(configuration.access == .readWrite)
    #expect(configuration.durability == .full)
    #expect(configuration.busyTimeout == 5)
    #expect(configuration.cacheSize == 65_536)
    #expect(configuration.trace == nil)
    #expect(!configuration.tracesValues)
  }

  @Test func aMisspeltColumnInQuotesIsAnError() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE person (name TEXT)")
    for sql in [
      "SELECT \"nmae\" FROM person", "DELETE FROM person WHERE \"nmae\" = 'x'",
      "CREATE INDEX i ON person (\"nmae\")",
    ] {
      #expect(sqliteError { try connection.execute(sql) }?.code == .error, "\(sql)")
    }
  }

  @Test func theSchemaTableCannotBeWritten() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a); PRAGMA writable_schema = ON")
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM sqlite_master") }
    #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 1)
  }

  @Test func foreignKeysAreEnforced() throws {
    let connection = try memory()
    try connection.execute(
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY);
      CREATE TABLE pet (owner INTEGER REFERENCES owner (id));
      """)
    let error = sqliteError { try connection.execute("INSERT INTO pet VALUES (1)") }
    #expect(error?.extendedCode == ExtendedCode.foreignKey)
  }

  @Test func deleteTriggersSeeTheRowsThatReplaceRemoves() throws {
    let connection = try memory()
    try connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE gone (a);
      CREATE TRIGGER tr AFTER DELETE ON t BEGIN INSERT INTO gone VALUES (OLD.a); END;
      INSERT INTO t VALUES (1, 'old'); REPLACE INTO t VALUES (1, 'new');
      """)
    #expect(try connection.text("SELECT a FROM gone") == "old")
  }
}
