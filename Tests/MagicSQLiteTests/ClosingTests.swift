import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct ClosingTests {
  @Test func aSecondCloseDoesNothing() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    connection.close()
    let files = openFiles(under: scratch.path)
    #expect(files == [])
    connection.close()
    #expect(openFiles(under: scratch.path) == files)
    #expect(sqliteError { try connection.execute("SELECT 1") }?.code == .misuse)
  }

  @Test func everyCallAfterCloseThrowsOrIsEmpty() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    _ = try connection.cachedStatement("SELECT 1")
    connection.close()
    #expect(sqliteError { try connection.execute("SELECT 1") }?.code == .misuse)
    #expect(sqliteError { _ = try connection.prepare("SELECT 1") }?.code == .misuse)
    #expect(sqliteError { _ = try connection.cachedStatement("SELECT 1") }?.code == .misuse)
    #expect(sqliteError { _ = try connection.integer("SELECT 1") }?.code == .misuse)
    #expect(sqliteError { _ = try connection.text("SELECT 1") }?.code == .misuse)
    #expect(sqliteError { try connection.transaction {} }?.code == .misuse)
    #expect(sqliteError { try connection.savepoint {} }?.code == .misuse)
    #expect(sqliteError { try connection.setDurability(.full) }?.code == .misuse)
    #expect(sqliteError { try connection.prepareForWriting() }?.code == .misuse)
    #expect(connection.changes == 0)
    #expect(connection.totalChanges == 0)
    #expect(connection.lastInsertedRow == 0)
    #expect(!connection.isInTransaction)
    #expect(!connection.isFileMoved)
    connection.interrupt()
    connection.rollBack()
  }

  @Test func aRetainedClosedConnectionHasNoOpenFile() throws {
    let scratch = Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try connection.transaction { #expect(!connection.isLogMoved) }
    #expect(openFiles(under: scratch.file()).contains { $0.hasSuffix("-wal") })
    connection.close()
    #expect(openFiles(under: scratch.file()) == [])
    withExtendedLifetime(connection) {}
  }

  @Test func aStatementKeptAfterCloseIsHarmless() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    var kept: SQLiteStatement?
    do {
      let connection = try scratch.connection()
      let statement = try connection.prepare("SELECT number FROM item")
      #expect(try statement.step())
      kept = statement
      connection.close()
    }
    if let kept {
      _ = try? kept.step()
      _ = kept.column(0).integer
      kept.reset()
      kept.clearBindings()
      #expect(kept.sql == "SELECT number FROM item")
    }
    kept = nil
    // With the release of the last statement the lock and the side files of the file are removed.
    #expect(scratch.names == ["test.sqlite3"])
  }

  @Test func aFailingStatementKeptAfterCloseStillReports() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    connection.close()
    #expect(throws: SQLiteError.self) { try insert.run() }
  }

  @Test func closingInsideATransactionStoresNothing() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let connection = try scratch.connection()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("DELETE FROM item")
        connection.close()
      }
    }
    #expect(error != nil)
    #expect(try scratch.connection().integer("SELECT count(*) FROM item") == 3)
  }

  @Test func aConnectionThatIsReleasedIsClosed() throws {
    let scratch = Scratch()
    do {
      let connection = try scratch.connection()
      try connection.execute("CREATE TABLE t (a)")
      #expect(scratch.names.contains("test.sqlite3-wal"))
      withExtendedLifetime(connection) {}
    }
    #expect(scratch.names == ["test.sqlite3"])
  }
}
