import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct StatementTests {
  @Test func aStatementReportsItsColumnsAndParameters() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a, b)")
    let select = try connection.prepare("SELECT a, b AS \"x y\" FROM t WHERE a = ? AND b > ?")
    #expect(select.sql == "SELECT a, b AS \"x y\" FROM t WHERE a = ? AND b > ?")
    #expect(select.parameterCount == 2)
    #expect(select.columnCount == 2)
    #expect((0..<2).map(select.columnName) == ["a", "x y"])
    #expect(select.isReadOnly)
    let insert = try connection.prepare("INSERT INTO t VALUES (1, 2)")
    #expect(insert.columnCount == 0)
    #expect(!insert.isReadOnly)
  }

  @Test(arguments: [-1, 2, Int.max, Int.min, 1 << 32])
  func aMissingColumnHasNoNameAndIsNull(_ index: Int) throws {
    let statement = try memory().prepare("SELECT 1, 2")
    #expect(try statement.step())
    #expect(statement.columnName(index) == "")
    #expect(statement.column(index).isNull)
  }

  @Test func rowsAreSteppedThrough() throws {
    let statement = try memory().prepare("VALUES (1), (2), (3)")
    for _ in 0..<2 {
      var numbers: [Int64] = []
      while try statement.step() { numbers.append(statement.column(0).integer) }
      #expect(numbers == [1, 2, 3])
      statement.reset()
    }
  }

  @Test func resettingKeepsBindingsAndClearingSetsThemToNull() throws {
    let statement = try memory().prepare("SELECT ?")
    try statement.bind(Int64(5), at: 1)
    #expect(try statement.step())
    statement.reset()
    #expect(try statement.step())
    #expect(statement.column(0).integer == 5)
    statement.reset()
    statement.clearBindings()
    #expect(try statement.step())
    #expect(statement.column(0).isNull)
  }

  @Test func aStatementIsReadyToRunAgainAfterAnError() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.bind(Int64(1), at: 1)
    #expect(sqliteError { try insert.run() }?.code == .constraint)
    try insert.bind(Int64(2), at: 1)
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func aRunningStatementCannotBeBound() throws {
    let statement = try memory().prepare("SELECT ?")
    #expect(try statement.step())
    #expect(sqliteError { try statement.bind(Int64(1), at: 1) }?.code == .misuse)
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1;; ;SELECT 2", "SELECT 1; --\n DELETE FROM x"])
  func twoStatementsAreRefused(_ sql: String) throws {
    let connection = try memory()
    #expect(sqliteError { _ = try connection.prepare(sql) }?.code == .misuse)
    #expect(sqliteError { _ = try connection.cachedStatement(sql) }?.code == .misuse)
    #expect(sqliteError { _ = try connection.integer(sql) }?.code == .misuse)
  }

  @Test(arguments: ["", " ", ";", "-- nothing", "/* nothing */ ;"])
  func noStatementIsRefused(_ sql: String) throws {
    let connection = try memory()
    #expect(sqliteError { _ = try connection.prepare(sql) }?.code == .misuse)
    #expect(throws: Never.self) { try connection.execute(sql) }
  }

  @Test(arguments: [
    "SELECT 1;", "SELECT 1 ; ", "SELECT 1 -- one", "SELECT 1; /* one */", "SELECT 1;;",
  ])
  func whatFollowsOneStatementMayBeEmpty(_ sql: String) throws {
    #expect(try memory().integer(sql) == 1)
  }

  @Test func SQLWithNULIsRefused() throws {
    let connection = try memory()
    let sql = "SELECT 1\0; DROP TABLE t"
    #expect(sqliteError { _ = try connection.prepare(sql) }?.code == .misuse)
    #expect(sqliteError { _ = try connection.cachedStatement(sql) }?.code == .misuse)
    #expect(sqliteError { try connection.execute(sql) }?.code == .misuse)
  }

  @Test func manyStatementsAreExecutedInOrder() throws {
    let connection = try memory()
    try connection.execute(
      "CREATE TABLE t (a); -- 'quoted ;\nINSERT INTO t VALUES ('; ä'); ; SELECT * FROM t; "
        + "UPDATE t SET a = a || '!';")
    #expect(try connection.text("SELECT a FROM t") == "; ä!")
  }

  @Test func executionStopsAtTheFirstError() throws {
    let connection = try memory()
    let error = sqliteError {
      try connection.execute("CREATE TABLE t (a); nonsense; DROP TABLE t")
    }
    #expect(error?.code == .error)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func aSingleValueIsNilForNoRowAndForNull() throws {
    let connection = try memory()
    #expect(try connection.integer("SELECT 1 WHERE 0") == nil)
    #expect(try connection.integer("SELECT NULL") == nil)
    #expect(try connection.text("SELECT NULL") == nil)
    #expect(try connection.text("SELECT ''") == "")
    #expect(try connection.integer("SELECT 9223372036854775807") == .max)
  }

  @Test func changesAreCounted() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a)")
    try connection.execute("INSERT INTO t VALUES (1), (2), (3)")
    #expect(connection.changes == 3)
    #expect(connection.lastInsertedRow == 3)
    try connection.execute("DELETE FROM t WHERE a > 1")
    #expect(connection.changes == 2)
    #expect(connection.totalChanges == 5)
  }
}
