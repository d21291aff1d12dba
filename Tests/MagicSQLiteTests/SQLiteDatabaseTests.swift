import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

private struct Surprise: Error {}

@Suite struct SQLiteDatabaseTests {
  private func open(_ scratch: Scratch) async throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(
      path: scratch.file(), configuration: .init(durability: .normal), readers: 3)
    try await database.write { connection in
      try connection.execute(
        "CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER); INSERT INTO account VALUES (1, 500), (2, 500)"
      )
    }
    return database
  }

  private static func balance(_ connection: SQLiteConnection) throws -> Int64? {
    try connection.integer("SELECT sum(balance) FROM account")
  }

  @Test func writtenRowsAreRead() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    for number in 1...20 {
      try await database.write { try $0.execute("UPDATE account SET balance = \(number)") }
      let read = try await database.read { try $0.integer("SELECT balance FROM account") }
      #expect(read == Int64(number))
    }
    await database.close()
    #expect(scratch.names == ["test.sqlite3"])
  }

  @Test func aWriteThatThrowsIsRolledBack() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    await #expect(throws: Surprise.self) {
      try await database.write { connection in
        try connection.execute("DELETE FROM account")
        throw Surprise()
      }
    }
    #expect(try await database.read(Self.balance) == 1000)
    try await database.write { try $0.execute("UPDATE account SET balance = 1") }
    #expect(try await database.read(Self.balance) == 2)
  }

  @Test func readsDuringAWriteSeeCompleteTransactions() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    let sums = try await withThrowingTaskGroup(of: Set<Int64>.self) { group in
      group.addTask {
        for _ in 0..<100 {
          try await database.write { connection in
            try connection.execute("UPDATE account SET balance = balance - 7 WHERE id = 1")
            try connection.execute("UPDATE account SET balance = balance + 7 WHERE id = 2")
          }
        }
        return []
      }
      for _ in 0..<4 {
        group.addTask {
          var sums: Set<Int64> = []
          for _ in 0..<100 {
            let (first, second) = try await database.read { connection in
              (
                try connection.integer("SELECT balance FROM account WHERE id = 1") ?? 0,
                try connection.integer("SELECT balance FROM account WHERE id = 2") ?? 0
              )
            }
            sums.insert(first + second)
          }
          return sums
        }
      }
      return try await group.reduce(into: Set<Int64>()) { $0.formUnion($1) }
    }
    #expect(sums == [1000])
  }

  @Test func concurrentWritesAllHappen() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await database.write { connection in
            let balance = try connection.integer("SELECT balance FROM account WHERE id = 1") ?? 0
            try connection.execute("UPDATE account SET balance = \(balance + 1) WHERE id = 1")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.read(Self.balance) == 1100)
  }

  @Test func aReadCannotWrite() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.execute("DELETE FROM account") }
    }
    #expect(try await database.read(Self.balance) == 1000)
  }

  @Test func aCancelledTaskStartsNothing() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await database.write { try $0.execute("DELETE FROM account") }
      }
      await #expect(throws: CancellationError.self) { try await database.read { _ in } }
    }
    await task.value
    #expect(try await database.read(Self.balance) == 1000)
  }

  @Test func everyCallAfterCloseThrows() async throws {
    let scratch = Scratch()
    let database = try await open(scratch)
    await database.close()
    await database.close()
    await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
    await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
  }

  @Test func aReadOnlyDatabaseRefusesWrites() async throws {
    let scratch = Scratch()
    try scratch.makeDatabase()
    let database = try SQLiteDatabase(path: scratch.file(), configuration: .init(access: .readOnly))
    #expect(try await database.read { try $0.integer("SELECT count(*) FROM item") } == 3)
    let error = await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
    #expect(error?.code == .readOnly)
    await database.close()
  }

  @Test func faultsOfAFileAreReportedWhenItIsOpened() throws {
    let scratch = Scratch()
    #expect(throws: SQLiteError.self) {
      _ = try SQLiteDatabase(path: scratch.file(), configuration: .init(access: .readOnly))
    }
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: scratch.file()))
    let error = sqliteError { _ = try SQLiteDatabase(path: scratch.file()) }
    #expect(error?.code == .notADatabase)
  }

  @Test func aDatabaseInMemoryReadsAndWrites() async throws {
    let database = try SQLiteDatabase(inMemory: .init())
    try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)") }
    #expect(try await database.read { try $0.integer("SELECT a FROM t") } == 7)
    await database.close()
    await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
    await #expect(throws: SQLiteError.self) { try await database.write { _ in } }
  }
}
