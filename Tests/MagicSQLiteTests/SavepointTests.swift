import MagicSQLite
import Testing

private struct Surprise: Error {}

@Suite struct SavepointTests {
  private func table() throws -> SQLiteConnection {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a INTEGER UNIQUE)")
    return connection
  }

  private func sum(_ connection: SQLiteConnection) throws -> Int64? {
    try connection.integer("SELECT total(a) FROM t")
  }

  @Test func anOutermostSavepointIsATransaction() throws {
    let connection = try table()
    try connection.savepoint { try connection.execute("INSERT INTO t VALUES (1)") }
    #expect(throws: Surprise.self) {
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (2)")
        throw Surprise()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try sum(connection) == 1)
  }

  private func countSurprise(_ body: () throws -> Void) -> Int {
    do { try body() } catch is Surprise { return 1 } catch {}
    return 0
  }

  @Test func onlyTheInnermostSavepointIsRolledBack() throws {
    let connection = try table()
    var surprises = 0
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (10)")
        for _ in 0..<3 {
          surprises += countSurprise {
            try connection.savepoint {
              try connection.execute("INSERT INTO t VALUES (100)")
              throw Surprise()
            }
          }
        }
        try connection.savepoint { try connection.execute("INSERT INTO t VALUES (1000)") }
      }
      surprises += countSurprise {
        try connection.savepoint {
          try connection.savepoint { try connection.execute("INSERT INTO t VALUES (10000)") }
          throw Surprise()
        }
      }
    }
    #expect(surprises == 4)
    #expect(try sum(connection) == 1011)
  }

  @Test func aFailedTransactionRollsItsSavepointsBack() throws {
    let connection = try table()
    #expect(throws: Surprise.self) {
      try connection.transaction {
        try connection.savepoint { try connection.execute("INSERT INTO t VALUES (1)") }
        throw Surprise()
      }
    }
    #expect(try sum(connection) == 0)
  }

  @Test func savepointsNestDeeply() throws {
    let connection = try table()
    func nest(_ depth: Int64) throws {
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (\(depth))")
        if depth < 100 { try nest(depth + 1) }
      }
    }
    try nest(1)
    #expect(try sum(connection) == 5050)
    #expect(!connection.isInTransaction)
  }

  @Test func nothingIsStoredAfterSQLiteEndedASavepointsTransaction() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (1)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        try? connection.execute("INSERT INTO t VALUES (2)")
      }
    }
    #expect(error?.extendedCode == ExtendedCode.unique)
    #expect(try sum(connection) == 0)
    try connection.execute("INSERT INTO t VALUES (5)")
    #expect(try sum(connection) == 5)
  }

  @Test func aSavepointWhoseTransactionSQLiteEndedThrows() throws {
    let connection = try table()
    let error = sqliteError {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.savepoint {
          try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
      }
    }
    #expect(error?.extendedCode == ExtendedCode.unique)
    #expect(!connection.isInTransaction)
    #expect(try sum(connection) == 0)
    try connection.savepoint { try connection.execute("INSERT INTO t VALUES (5)") }
    #expect(try sum(connection) == 5)
  }
}
