import Foundation
import MagicSQLite
import Testing

@Suite struct LockingTests {
  @Test func aSecondWriterWaitsForTheBusyTimeoutAndThenThrows() throws {
    let scratch = try Scratch()
    try scratch.makeDatabase()
    let first = try scratch.connection()
    let second = try scratch.connection(.init(busyTimeout: 0.2))
    try first.transaction {
      let start = ContinuousClock.now
      let error = sqliteError { try second.transaction {} }
      let waited = ContinuousClock.now - start
      #expect(error?.code == .busy)
      #expect(waited > .milliseconds(150))
      #expect(waited < .seconds(3))
    }
    try second.transaction { try second.execute("INSERT INTO item VALUES (9)") }
  }

  @Test func withoutATimeoutALockedDatabaseIsBusyAtOnce() throws {
    let scratch = try Scratch()
    try scratch.makeDatabase()
    let first = try scratch.connection()
    let second = try scratch.connection(.init(busyTimeout: 0))
    try first.transaction {
      #expect(sqliteError { try second.execute("DELETE FROM item") }?.code == .busy)
    }
  }

  @Test func aWriterGetsItsTurnWithinTheTimeout() async throws {
    let scratch = try Scratch()
    try scratch.makeDatabase(rows: 0)
    let path = scratch.path
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

  @Test func aReaderThatWantsToWriteOnAnOldSnapshotIsToldSo() throws {
    let scratch = try Scratch()
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
    let scratch = try Scratch()
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
}

@Suite struct MovedFileTests {
  @Test func aFileThatStaysIsNotMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    #expect(!connection.isFileMoved)
    #expect(try !memory().isFileMoved)
  }

  @Test func aRenamedFileIsMovedUntilItIsBack() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.moveItem(atPath: scratch.path, toPath: scratch.path("other"))
    #expect(connection.isFileMoved)
    try FileManager.default.moveItem(atPath: scratch.path("other"), toPath: scratch.path)
    #expect(!connection.isFileMoved)
  }

  @Test func aDeletedFileIsMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.removeItem(atPath: scratch.path)
    #expect(connection.isFileMoved)
  }

  @Test func aReplacedFileIsMoved() throws {
    let scratch = try Scratch()
    let connection = try scratch.connection()
    try connection.execute("CREATE TABLE t (a)")
    try FileManager.default.copyItem(atPath: scratch.path, toPath: scratch.path("copy"))
    try FileManager.default.removeItem(atPath: scratch.path)
    try FileManager.default.moveItem(atPath: scratch.path("copy"), toPath: scratch.path)
    #expect(connection.isFileMoved)
  }
}

@Suite struct TracingTests {
  @Test func theSQLIsTracedWithoutItsValues() throws {
    let log = Log<String>()
    let connection = try memory(.init(trace: { log.append($0) }))
    try connection.execute("CREATE TABLE t (a)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.bind("s3cret", at: 1)
    try insert.run()
    #expect(log.elements.suffix(2) == ["CREATE TABLE t (a)", "INSERT INTO t VALUES (?)"])
    #expect(!log.elements.contains { $0.contains("s3cret") })
  }

  @Test func theValuesAreTracedWhenAskedFor() throws {
    let log = Log<String>()
    let connection = try memory(.init(trace: { log.append($0) }, tracesValues: true))
    let select = try connection.prepare("SELECT ?, ?, ?")
    try select.bind("it's", at: 1)
    try select.bind(Int64(7), at: 2)
    try select.run()
    #expect(log.elements.last == "SELECT 'it''s', 7, NULL")
  }

  @Test func aTriggersStatementsAreTracedAsComments() throws {
    let log = Log<String>()
    let connection = try memory(.init(trace: { log.append($0) }, tracesValues: true))
    try connection.execute(
      """
      CREATE TABLE t (a); CREATE TABLE u (a);
      CREATE TRIGGER copy AFTER INSERT ON t BEGIN INSERT INTO u VALUES (NEW.a); END
      """)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(log.elements.contains("INSERT INTO t VALUES (1)"))
    #expect(log.elements.last?.hasPrefix("--") == true)
  }

  @Test func aStatementKeptAfterCloseIsTracedNoMore() throws {
    let log = Log<String>()
    let connection = try memory(.init(trace: { log.append($0) }))
    let select = try connection.prepare("SELECT 1")
    connection.close()
    let count = log.elements.count
    _ = try? select.step()
    #expect(log.elements.count == count)
  }
}

@Suite struct InterruptingTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// Keeps interrupting until the connection's work has ended.
  private func interrupting(
    _ connection: SQLiteConnection, while body: () throws -> Void
  ) -> SQLiteError? {
    let done = Log<Void>()
    let box = Unchecked(connection)
    let thread = Thread {
      while done.elements.isEmpty {
        usleep(2_000)
        box.value.interrupt()
      }
      done.append(())
    }
    thread.start()
    let error = sqliteError(body)
    done.append(())
    while done.elements.count < 2 { usleep(1_000) }
    return error
  }

  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func anInterruptEndsAStatementThatRuns() throws {
    let connection = try memory()
    let error = interrupting(connection) { _ = try connection.integer(Self.endless) }
    #expect(error?.code == .interrupted)
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test func anInterruptedWriteStoresNothingOfItsTransaction() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a)")
    let error = interrupting(connection) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT i FROM n"
        )
      }
    }
    #expect(error?.code == .interrupted)
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }
}
