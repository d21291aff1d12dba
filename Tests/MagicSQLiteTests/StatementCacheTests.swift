import MagicSQLite
import Testing

@Suite struct StatementCacheTests {
  @Test func theSameSQLGivesTheSameStatement() throws {
    let connection = try memory()
    let first = try connection.cachedStatement("SELECT ?")
    #expect(try connection.cachedStatement("SELECT ?") === first)
    #expect(try connection.cachedStatement("SELECT  ?") !== first)
    #expect(try connection.prepare("SELECT ?") !== first)
  }

  @Test func aStatementCompiledWithoutGuardIsNotReused() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE guarded (a)")
    let own = try connection.cachedStatement("DELETE FROM guarded")
    for _ in 0..<2 {
      let error = #expect(throws: SQLiteError.self) {
        try connection.cachedStatement("DELETE FROM guarded", guarding: ["guarded"])
      }
      #expect(error?.code == .unauthorized)
    }
    #expect(try connection.cachedStatement("DELETE FROM guarded") === own)
    let read = try connection.cachedStatement("SELECT 1", guarding: ["guarded"])
    #expect(try connection.cachedStatement("SELECT 1", guarding: ["guarded"]) === read)
  }

  @Test func aCachedStatementIsResetAndHasNoBindings() throws {
    let connection = try memory()
    let statement = try connection.cachedStatement("SELECT ?")
    try statement.bind("left over", at: 1)
    #expect(try statement.step())
    let again = try connection.cachedStatement("SELECT ?")
    #expect(try again.step())
    #expect(again.column(0).isNull)
  }

  @Test func theLeastRecentlyUsedStatementIsEvictedFirst() throws {
    let connection = try memory()
    let first = try connection.cachedStatement("SELECT 0")
    let second = try connection.cachedStatement("SELECT 1")
    for number in 2..<64 { _ = try connection.cachedStatement("SELECT \(number)") }
    #expect(try connection.cachedStatement("SELECT 0") === first)
    _ = try connection.cachedStatement("SELECT 64")
    #expect(try connection.cachedStatement("SELECT 0") === first)
    #expect(try connection.cachedStatement("SELECT 1") !== second)
  }

  @Test func anEvictedStatementStillWorks() throws {
    let connection = try memory()
    let kept = try connection.cachedStatement("SELECT 42")
    for number in 0..<100 { _ = try connection.cachedStatement("SELECT \(number), 1") }
    #expect(try kept.step())
    #expect(kept.column(0).integer == 42)
  }

  @Test func aStatementWorksAfterAChangeOfTheSchema() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let sql = "SELECT * FROM t"
    #expect(try connection.cachedStatement(sql).step())
    _ = try connection.cachedStatement(sql)
    try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 5")
    let statement = try connection.cachedStatement(sql)
    #expect(try statement.step())
    #expect(statement.columnCount == 2)
    #expect(statement.column(1).integer == 5)
  }
}
