@_spi(Tools) import MagicSQLite
import MagicTestSupport
import Testing

/// What programs that show files of unknown origin need.
@Suite struct ToolsTests {
  private func connection() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(inMemory: SQLiteConfiguration())
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    return connection
  }

  private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
      try body()
      return nil
    } catch let error as SQLiteError {
      return error.code
    } catch {
      Issue.record(error)
      return nil
    }
  }

  @Test func aRestrictedConnectionRefusesWritesAndLargeValues() throws {
    let connection = try connection()
    try connection.restrictToReading(length: 1_000)
    #expect(code { try connection.execute("INSERT INTO t VALUES (2)") } == .readOnly)
    #expect(code { _ = try connection.text("SELECT zeroblob(2000)") } == .tooBig)
    #expect(try connection.integer("SELECT a FROM t") == 1)
  }

  @Test(arguments: ["PRAGMA query_only = OFF", "BEGIN", "ATTACH ':memory:' AS x", "SAVEPOINT a"])
  func SQLOfAUserCannotChangeSettings(_ sql: String) throws {
    let connection = try connection()
    #expect(code { _ = try connection.prepareUserSQL(sql) } == .unauthorized)
    #expect(try connection.prepareUserSQL("SELECT a FROM t").step())
  }

  @Test func aStatementIsInterrupted() throws {
    let connection = try connection()
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n"
    let interrupted = code {
      _ = try connection.interrupting(when: { true }) { try connection.integer(endless) }
    }
    #expect(interrupted == .interrupted)
    #expect(try connection.interrupting(when: { true }) { try connection.integer("SELECT 1") } == 1)
  }
}
