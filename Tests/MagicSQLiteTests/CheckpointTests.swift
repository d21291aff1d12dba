import Foundation
import MagicTestSupport
import Testing

@testable import MagicSQLite

@Suite struct CheckpointTests {
  let scratch = Scratch()

  /// A connection to a database with an empty table.
  private func writer(_ configuration: SQLiteConfiguration = .init()) throws -> SQLiteConnection {
    let writer = try scratch.connection(configuration)
    try writer.execute("CREATE TABLE t (a BLOB)")
    try #require(writer.checkpoint(.truncate))
    return writer
  }

  private func reader() throws -> SQLiteConnection {
    try scratch.connection(SQLiteConfiguration(access: .readOnly))
  }

  private func write(_ kibibytes: Int, _ writer: SQLiteConnection) throws {
    try writer.execute("INSERT INTO t VALUES (zeroblob(\(kibibytes * 1_024)))")
  }

  private func size(_ name: String) -> Int {
    let path = scratch.file(name)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private var logSize: Int { size("test.sqlite3-wal") }
  private var fileSize: Int { size("test.sqlite3") }

  @Test func theLogSizeIsReportedOncePerCommit() throws {
    let writer = try writer()
    writer.watchLog()
    #expect(writer.takeLogSize() == nil)
    try write(400, writer)
    let size = try #require(writer.takeLogSize())
    #expect(size > 100 && size < 110)
    #expect(writer.takeLogSize() == nil)
    #expect(logSize == 32 + size * (4_096 + 24))
    _ = try writer.integer("SELECT count(*) FROM t")
    #expect(writer.takeLogSize() == nil)
  }

  @Test func aRollbackIsNotReportedAsACommit() throws {
    let writer = try writer()
    writer.watchLog()
    try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1); ROLLBACK")
    #expect(writer.takeLogSize() == nil)
  }

  @Test func aWatchedLogIsCheckpointedOnlyOnRequest() throws {
    let writer = try writer()
    writer.watchLog()
    let before = fileSize
    for _ in 0..<6 { try write(1_024, writer) }
    #expect(fileSize == before)
    #expect(writer.checkpoint(.passive))
    #expect(fileSize > 6 << 20)
  }

  @Test func anUnwatchedLogIsCheckpointedBySQLite() throws {
    let writer = try writer()
    for _ in 0..<6 { try write(1_024, writer) }
    #expect(fileSize > 4 << 20)
  }

  @Test func afterARestartTheLogIsWrittenFromItsStart() throws {
    let writer = try writer()
    writer.watchLog()
    try write(1_024, writer)
    let size = try #require(writer.takeLogSize())
    #expect(writer.checkpoint(.restart))
    try write(1, writer)
    #expect(try #require(writer.takeLogSize()) < size)
  }

  @Test func truncatingEmptiesTheFile() throws {
    let writer = try writer()
    try write(1_024, writer)
    #expect(logSize > 1 << 20)
    #expect(writer.checkpoint(.truncate))
    #expect(logSize == 0)
  }

  @Test func aSnapshotPreventsACheckpoint() throws {
    let (writer, reader) = (try writer(), try reader())
    try reader.transaction(.deferred) {
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
      try write(1_024, writer)
      let start = ContinuousClock.now
      #expect(!writer.checkpoint(.restart, timeout: 0.05))
      #expect(ContinuousClock.now - start >= .milliseconds(40))
      #expect(!writer.checkpoint(.truncate))
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(writer.checkpoint(.truncate))
  }

  @Test func endingItsReadsAllowsACheckpoint() throws {
    let (writer, reader) = (try writer(), try reader())
    try write(1, writer)
    try reader.begin(.deferred)
    let select = try reader.cachedStatement("SELECT a FROM t")
    #expect(try select.step())
    try write(1_024, writer)
    #expect(!writer.checkpoint(.truncate))
    reader.endReads()
    #expect(!reader.isInTransaction)
    #expect(writer.checkpoint(.truncate))
    #expect(try reader.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func anInterruptBetweenStatementsAffectsNone() throws {
    let (writer, reader) = (try writer(), try reader())
    try write(1, writer)
    try reader.begin(.deferred)
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    reader.interrupt()
    reader.endReads()
    #expect(!reader.isInTransaction)
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func aCheckpointDoesNotChangeTheBusyTimeout() throws {
    let writer = try writer(SQLiteConfiguration(busyTimeout: 2))
    writer.checkpoint(.restart, timeout: 0.05)
    #expect(writer.handle.busyTimeout == 2_000)
  }

  @Test func aClosedConnectionCheckpointsNothing() throws {
    let writer = try writer()
    writer.close()
    writer.watchLog()
    #expect(writer.takeLogSize() == nil)
    #expect(!writer.checkpoint(.passive))
    writer.endReads()
  }
}
