import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// SQLite's copy of one database into another.
@Suite struct BackupTests {
  let scratch = Scratch()

  /// An empty database that only receives a backup.
  private func target() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      reading: scratch.file("copy"), configuration: SQLiteConfiguration())
    try connection.prepareForCopy()
    return connection
  }

  @Test func aBackupRunsInStepsAndCountsItsPages() throws {
    try scratch.makeDatabase(rows: 10_000)
    let source = try scratch.connection()
    let pages = Int(try #require(try source.integer("PRAGMA page_count")))
    let target = try target()
    let backup = try SQLiteBackup(of: source, to: target)
    var done: [Int] = []
    while try backup.step(pages: 10) { done.append(backup.pagesDone) }
    #expect(done == done.sorted())
    #expect(done.count == (pages - 1) / 10)
    #expect(backup.pagesDone == pages)
    #expect(backup.pageCount == pages)
    target.close()
    let copy = try SQLiteConnection(path: scratch.file("copy"))
    #expect(try copy.integer("SELECT count(*) FROM item") == 10_000)
    #expect(try copy.text("PRAGMA integrity_check") == "ok")
  }

  @Test func aTransactionOfTheSourceLimitsTheBackupToItsSnapshot() throws {
    try scratch.makeDatabase(rows: 10_000)
    let source = try scratch.connection()
    let writer = try scratch.connection()
    let target = try target()
    try source.snapshot {
      #expect(try source.integer("SELECT count(*) FROM item") == 10_000)
      let backup = try SQLiteBackup(of: source, to: target)
      while try backup.step(pages: 5) {
        try writer.execute("DELETE FROM item WHERE number % 3 = 0")
      }
    }
    target.close()
    let copy = try SQLiteConnection(path: scratch.file("copy"))
    #expect(try copy.integer("SELECT count(*) FROM item") == 10_000)
    #expect(try writer.integer("SELECT count(*) FROM item") == 6_666)
  }

  @Test func noOtherFileIsCreatedNextToTheBackup() throws {
    try scratch.makeDatabase()
    let source = try scratch.connection()
    let target = try target()
    let backup = try SQLiteBackup(of: source, to: target)
    while try backup.step(pages: 1) {
      #expect(scratch.names.filter { $0.hasPrefix("copy") } == ["copy"])
    }
    target.close()
    #expect(scratch.names.filter { $0.hasPrefix("copy") } == ["copy"])
  }

  @Test func aFinishedBackupRunsNoSteps() throws {
    try scratch.makeDatabase(rows: 10_000)
    let source = try scratch.connection()
    let target = try target()
    let backup = try SQLiteBackup(of: source, to: target)
    #expect(try backup.step(pages: 1))
    backup.end()
    backup.end()
    let error = #expect(throws: SQLiteError.self) { try backup.step(pages: 1) }
    #expect(error?.code == .misuse)
    target.close()
    source.close()
  }

  @Test func aClosedConnectionIsNotBackedUp() throws {
    try scratch.makeDatabase()
    let source = try scratch.connection()
    source.close()
    let target = try target()
    #expect(throws: SQLiteError.self) { try SQLiteBackup(of: source, to: target) }
  }

  @Test func aStatementEndsWhenItsTaskIsCancelled() throws {
    let connection = try scratch.connection()
    var questions = 0
    let error = #expect(throws: SQLiteError.self) {
      try connection.withCancellationCheck({
        questions += 1
        return questions == 3
      }) {
        _ = try connection.integer(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
          """)
      }
    }
    #expect(error?.code == .interrupted)
    #expect(questions == 3)
    #expect(try connection.integer("SELECT 1") == 1)
  }
}
