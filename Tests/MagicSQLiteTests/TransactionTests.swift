import MagicSQLite
import MagicTestSupport
import Testing

private struct Surprise: Error {}

@Suite struct TransactionTests {
  private func table() throws -> SQLiteConnection {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a INTEGER UNIQUE)")
    return connection
  }

  private func numbers(_ connection: SQLiteConnection) throws -> [Int64] {
    let select = try connection.prepare("SELECT a FROM t ORDER BY a")
    var numbers: [Int64] = []
    while try select.step() { numbers.append(select.column(0).integer) }
    return numbers
  }

  @Test(arguments: [SQLiteTransactionMode.deferred, .immediate])
  func writesOfTheBodyAreCommitted(_ mode: SQLiteTransactionMode) throws {
    let connection = try table()
    let result = try connection.transaction(mode) {
      #expect(connection.isInTransaction)
      try connection.execute("INSERT INTO t VALUES (1)")
      return "done"
    }
    #expect(result == "done")
    #expect(!connection.isInTransaction)
    #expect(try numbers(connection) == [1])
  }

  @Test func anErrorRollsBackAndIsRethrown() throws {
    let connection = try table()
    #expect(throws: Surprise.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Surprise()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try numbers(connection) == [])
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (2)") }
    #expect(try numbers(connection) == [2])
  }

  @Test func aTransactionInsideATransactionIsRefused() throws {
    let connection = try table()
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(sqliteError { try connection.transaction {} }?.code == .misuse)
      #expect(connection.isInTransaction)
    }
    #expect(try numbers(connection) == [1])
  }

  @Test func aTransactionThatSQLiteEndedIsDetected() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(error?.extendedCode == ExtendedCode.unique)
    #expect(try numbers(connection) == [])
    try connection.transaction { try connection.execute("INSERT INTO t VALUES (2)") }
    #expect(try numbers(connection) == [2])
  }

  @Test func theErrorThatEndedATransactionIsThrownInsteadOfALaterOne() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try? connection.execute("INSERT INTO t VALUES (1)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        try? connection.execute("SELECT abs(-9223372036854775807 - 1)")
      }
    }
    #expect(error?.sql == "INSERT OR ROLLBACK INTO t VALUES (1)")
    let next = sqliteError { try connection.transaction { try connection.execute("ROLLBACK") } }
    #expect(next?.extendedCode == ExtendedCode.abortRollback)
  }

  @Test func noStatementIsStoredAfterSQLiteEndedTheTransaction() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        try? connection.execute("INSERT INTO t VALUES (2)")
        try? connection.savepoint { try connection.execute("INSERT INTO t VALUES (3)") }
      }
    }
    #expect(error?.extendedCode == ExtendedCode.unique)
    #expect(try numbers(connection) == [])
    try connection.execute("INSERT INTO t VALUES (4)")
    #expect(try numbers(connection) == [4])
  }

  @Test func aBodyCannotCommitByItself() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute("COMMIT")
      }
    }
    #expect(error?.code == .constraint)
    #expect(!connection.isInTransaction)
    #expect(try numbers(connection) == [])
  }

  @Test func transactionsInSQLAreNotChanged() throws {
    let connection = try table()
    try connection.execute("BEGIN; INSERT INTO t VALUES (1); COMMIT")
    try connection.execute("SAVEPOINT s; INSERT INTO t VALUES (2); RELEASE s")
    #expect(try numbers(connection) == [1, 2])
    try connection.execute("BEGIN; INSERT INTO t VALUES (3)")
    try connection.savepoint { try connection.execute("INSERT INTO t VALUES (4)") }
    try connection.execute("COMMIT")
    #expect(try numbers(connection) == [1, 2, 3, 4])
  }

  @Test func aFailedCommitLeavesNoTransactionOpen() throws {
    let connection = try memory()
    try connection.execute(
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY);
      CREATE TABLE pet (owner INTEGER REFERENCES owner (id) DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = sqliteError {
      try connection.transaction { try connection.execute("INSERT INTO pet VALUES (1)") }
    }
    #expect(error?.extendedCode == ExtendedCode.foreignKey)
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM pet") == 0)
  }

  @Test func anOpenReadDoesNotPreventTheEndOfATransaction() throws {
    let connection = try table()
    try connection.execute("INSERT INTO t VALUES (1), (2)")
    let select = try connection.prepare("SELECT a FROM t")
    try connection.transaction {
      #expect(try select.step())
      try connection.execute("INSERT INTO t VALUES (3)")
    }
    #expect(try numbers(connection) == [1, 2, 3])
  }

  @Test func aSnapshotJoinsTheOpenTransaction() throws {
    let connection = try table()
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      let count = try connection.snapshot { try connection.integer("SELECT count(*) FROM t") }
      #expect(count == 1)
      #expect(connection.isInTransaction)
    }
    #expect(try connection.snapshot { connection.isInTransaction })
    #expect(!connection.isInTransaction)
  }
}
