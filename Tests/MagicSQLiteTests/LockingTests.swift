import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct LockingTests {
  @Test func aSecondWriterWaitsForTheBusyTimeoutAndThenThrows() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let first = try scratch.connection()
    let second = try scratch.connection(.init(busyTimeout: 0.2))
    try first.transaction {
      let start = ContinuousClock.now
      let error = sqliteError { try second.transaction {} }
      let waited = ContinuousClock.now - start
      #expect(error?.code == .busy)
      #expect(waited > .milliseconds(150))
      #expect(waited < .seconds(60))
    }
    try second.transaction { try second.execute("INSERT INTO item VALUES (9)") }
  }

  @Test func withoutATimeoutALockedDatabaseIsBusyImmediately() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let first = try scratch.connection()
    let second = try scratch.connection(.init(busyTimeout: 0))
    try first.transaction {
      #expect(sqliteError { try second.execute("DELETE FROM item") }?.code == .busy)
    }
  }

  @Test func aWriterGetsItsTurnWithinTheTimeout() async throws {
    let scratch = Scratch()
    try scratch.makeDatabase(rows: 0)
    let path = scratch.file()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let connection = try SQLiteConnection(
            path: path, configuration: .init(durability: .normal))
          for number in 0..<25 {
            try connection.transaction {
              try connection.execute("INSERT INTO item VALUES (\(number))")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try scratch.connection().integer("SELECT count(*) FROM item") == 100)
  }

  @Test func aWriteOnAnOldSnapshotIsRefused() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let first = try scratch.connection(.init(busyTimeout: 0))
    let second = try scratch.connection()
    let error = sqliteError {
      try first.transaction(.deferred) {
        _ = try first.integer("SELECT count(*) FROM item")
        try second.execute("INSERT INTO item VALUES (9)")
        try first.execute("INSERT INTO item VALUES (10)")
      }
    }
    #expect(error?.extendedCode == ExtendedCode.busySnapshot)
    #expect(!first.isInTransaction)
    #expect(try first.integer("SELECT count(*) FROM item") == 4)
  }

  @Test func aTransactionReadsOneSnapshot() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let reader = try scratch.connection(.init(access: .readOnly))
    let writer = try scratch.connection()
    try reader.transaction(.deferred) {
      #expect(try reader.integer("SELECT count(*) FROM item") == 3)
      try writer.execute("DELETE FROM item")
      #expect(try reader.integer("SELECT count(*) FROM item") == 3)
    }
    #expect(try reader.integer("SELECT count(*) FROM item") == 0)
  }

  @Test func theDataVersionChangesWithEveryVisibleCommit() throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let reader = try scratch.connection(.init(access: .readOnly))
    let writer = try scratch.connection()
    func version() throws -> UInt32? {
      _ = try reader.integer("SELECT count(*) FROM item")
      return reader.dataVersion
    }
    let before = try version()
    #expect(try version() == before)
    try writer.execute("INSERT INTO item VALUES (9)")
    #expect(try version() != before)
    let own = writer.dataVersion
    try writer.execute("INSERT INTO item VALUES (10)")
    #expect(writer.dataVersion != own)
    writer.close()
    #expect(writer.dataVersion == nil)
  }
}
