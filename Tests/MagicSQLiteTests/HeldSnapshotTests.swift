import Foundation
import MagicTestSupport
import Testing

@testable import MagicSQLite

/// The snapshot that a reader holds between reads.
@Suite struct HeldSnapshotTests {
  let scratch = Scratch()

  /// A connection that writes, to a database with a table of one row.
  private func writer() throws -> SQLiteConnection {
    let writer = try scratch.connection()
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    writer.watchLog()
    return writer
  }

  private func reader(
    _ configuration: SQLiteConfiguration = .init(access: .readOnly),
    maximumPause: UInt64 = .max
  ) throws -> SQLiteConnection {
    let reader = try scratch.connection(configuration)
    reader.holdSnapshots(maximumPause: maximumPause)
    return reader
  }

  /// A reader that holds a snapshot.
  private func holdingReader() throws -> SQLiteConnection {
    let reader = try reader()
    for _ in 0..<3 { _ = try count(reader) }
    try #require(reader.holdsSnapshot)
    return reader
  }

  /// Reads the number of rows.
  private func count(_ reader: SQLiteConnection, in turn: UInt32? = 2) throws -> Int64? {
    _ = try reader.prepareRead(in: turn)
    return try reader.integer("SELECT count(*) FROM t")
  }

  private func insert(_ writer: SQLiteConnection) throws {
    try writer.execute("INSERT INTO t (a) VALUES (2)")
  }

  @Test func theThirdReadBeginsToHoldItsSnapshot() throws {
    _ = try writer()
    let reader = try reader()
    let begun = try (0..<5).map { _ in
      defer { _ = try? reader.integer("SELECT count(*) FROM t") }
      return try reader.prepareRead(in: 2)
    }
    #expect(begun == [false, false, true, false, false])
    #expect(reader.holdsSnapshot)
    #expect(!reader.isInTransaction)
  }

  @Test func theNextReadSeesACommitOfAnotherConnection() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    for number in 2..<20 {
      try insert(writer)
      #expect(try count(reader) == Int64(number))
      #expect(!reader.holdsSnapshot)
      #expect(try count(reader) == Int64(number))
      #expect(reader.holdsSnapshot)
    }
  }

  @Test func theNextReadSeesACommitOfAnotherProcess() throws {
    _ = try writer()
    let reader = try holdingReader()
    let (output, status) = try StartedChild("SQLiteProgram", [scratch.file()]).end()
    #expect(status == 0)
    #expect(output == Data("Ada\n".utf8))
    _ = try reader.prepareRead(in: 2)
    #expect(try reader.text("SELECT name FROM person") == "Ada")
  }

  @Test func readsThatAlternateWithCommitsHoldNothing() throws {
    let (writer, reader) = (try writer(), try reader())
    for number in 1..<20 {
      #expect(try count(reader) == Int64(number))
      #expect(!reader.holdsSnapshot)
      try insert(writer)
    }
  }

  @Test func rareReadsHoldNothing() throws {
    _ = try writer()
    let reader = try reader(maximumPause: 0)
    for _ in 0..<20 {
      #expect(try count(reader) == 1)
      #expect(!reader.holdsSnapshot)
    }
  }

  @Test func noneIsHeldWhileTheLogIsLong() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    // Each commit writes a page.
    for _ in 0...HeldSnapshot.maximumFrames { try insert(writer) }
    for _ in 0..<5 {
      _ = try count(reader)
      #expect(!reader.holdsSnapshot)
    }
    #expect(writer.checkpoint(.passive))
    for _ in 0..<3 { _ = try count(reader) }
    #expect(reader.holdsSnapshot)
  }

  @Test func theNextTurnEndsIt() throws {
    _ = try writer()
    let reader = try holdingReader()
    #expect(try reader.prepareRead(in: 4))
    #expect(reader.holdsSnapshot)
    #expect(try !reader.prepareRead(in: 4))
  }

  @Test func withoutATurnNoneIsHeld() throws {
    _ = try writer()
    let reader = try holdingReader()
    #expect(try count(reader, in: nil) == 1)
    #expect(!reader.holdsSnapshot)
    #expect(try count(reader, in: nil) == 1)
    #expect(!reader.holdsSnapshot)
  }

  @Test func itIsKeptOnlyInItsTurn() throws {
    _ = try writer()
    let reader = try holdingReader()
    #expect(!reader.holdsSnapshot(exceptIn: 2))
    #expect(reader.holdsSnapshot(exceptIn: 4))
    reader.discardHeldSnapshot()
    #expect(!reader.holdsSnapshot(exceptIn: 4))
  }

  @Test func itPreventsARestartOnlyUntilTheNextRead() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    #expect(!writer.checkpoint(.truncate))
    // The checkpoint has copied all frames, which the read detects.
    #expect(try count(reader) == 1)
    #expect(!reader.holdsSnapshot)
    #expect(writer.checkpoint(.truncate))
  }

  @Test func ofACheckpointedLogItPreventsNoRestart() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    #expect(writer.checkpoint(.passive))
    for _ in 0..<2 { _ = try count(reader) }
    #expect(reader.holdsSnapshot)
    #expect(writer.checkpoint(.restart))
    try insert(writer)
    #expect(try count(reader) == 2)
  }

  @Test func severalReadsUseItAsOneSnapshot() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    try reader.snapshot {
      #expect(reader.isInTransaction)
      #expect(try reader.snapshot { try reader.integer("SELECT count(*) FROM t") } == 1)
      try insert(writer)
      #expect(try reader.integer("SELECT count(*) FROM t") == 1)
    }
    #expect(reader.holdsSnapshot)
    #expect(!reader.isInTransaction)
    #expect(try count(reader) == 2)
  }

  @Test func anErrorOfSeveralReadsEndsIt() throws {
    struct Failure: Error {}
    let (writer, reader) = (try writer(), try holdingReader())
    #expect(throws: Failure.self) { try reader.snapshot { throw Failure() } }
    #expect(!reader.holdsSnapshot)
    #expect(!reader.isInTransaction)
    #expect(writer.checkpoint(.truncate))
    #expect(try count(reader) == 1)
  }

  @Test func aTransactionOrASavepointEndsIt() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    try insert(writer)
    #expect(
      try reader.transaction(.deferred) { try reader.integer("SELECT count(*) FROM t") } == 2)
    #expect(!reader.holdsSnapshot)
    for _ in 0..<2 { _ = try count(reader) }
    #expect(reader.holdsSnapshot)
    try insert(writer)
    #expect(try reader.savepoint { try reader.integer("SELECT count(*) FROM t") } == 3)
    #expect(!reader.holdsSnapshot)
    #expect(writer.checkpoint(.truncate))
  }

  @Test func endingAllReadsEndsIt() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    reader.endReads()
    #expect(!reader.holdsSnapshot)
    #expect(writer.checkpoint(.truncate))
  }

  @Test func aRollbackBySQLiteEndsIt() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    try reader.execute("ROLLBACK")
    try insert(writer)
    try reader.snapshot {
      #expect(reader.isInTransaction)
      #expect(try reader.integer("SELECT count(*) FROM t") == 2)
      try insert(writer)
      #expect(try reader.integer("SELECT count(*) FROM t") == 2)
    }
    #expect(!reader.isInTransaction)
    #expect(try count(reader) == 3)
  }

  @Test func anInterruptBetweenReadsAffectsNone() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    reader.interrupt()
    #expect(try count(reader) == 1)
    reader.interrupt()
    try insert(writer)
    #expect(try count(reader) == 2)
    reader.interrupt()
    reader.discardHeldSnapshot()
    #expect(writer.checkpoint(.truncate))
  }

  @Test func closingEndsItEvenIfAStatementIsLeft() throws {
    let (writer, reader) = (try writer(), try holdingReader())
    let statement = try reader.prepare("SELECT count(*) FROM t")
    reader.close()
    #expect(writer.checkpoint(.truncate))
    withExtendedLifetime(statement) {}
  }

  @Test func itIsNotTraced() throws {
    _ = try writer()
    let log = Recorder<String>()
    let reader = try reader(.init(access: .readOnly, trace: { log.note($0) }))
    let count = log.all.count
    for _ in 0..<4 { _ = try self.count(reader) }
    #expect(reader.holdsSnapshot)
    reader.discardHeldSnapshot()
    #expect(log.all.dropFirst(count) == Array(repeating: "SELECT count(*) FROM t", count: 4)[...])
  }

  @Test func aDatabaseWithoutALogHoldsNone() throws {
    let writer = try writer()
    #expect(try writer.text("PRAGMA journal_mode = DELETE") == "delete")
    writer.close()
    let reader = try reader()
    for _ in 0..<5 { #expect(try count(reader) == 1) }
    #expect(!reader.holdsSnapshot)
    #expect(!FileManager.default.fileExists(atPath: scratch.file() + "-shm"))
  }

  @Test func anImmutableDatabaseHoldsNone() throws {
    try writer().close()
    let reader = try reader(.init(access: .immutable))
    for _ in 0..<5 { #expect(try count(reader) == 1) }
    #expect(!reader.holdsSnapshot)
  }

  @Test func aDatabaseInMemoryHoldsNone() throws {
    let connection = try memory()
    connection.holdSnapshots(maximumPause: .max)
    try connection.execute("CREATE TABLE t (a)")
    for _ in 0..<5 { #expect(try count(connection) == 0) }
    #expect(!connection.holdsSnapshot)
  }

  /// Random operations of two writers and two readers; after each read a new connection reads too.
  @Test(arguments: 1...8)
  func readsAreTheSameAsThoseOfANewConnection(_ seed: UInt64) throws {
    var random = SeededRandom(seed)
    let writers = [try writer(), try scratch.raw()]
    let readers = try (0..<2).map { _ in try reader() }
    var (turn, held) = (UInt32(2), 0)
    for _ in 0..<400 {
      let (writer, reader) = (writers[random.below(2)], readers[random.below(2)])
      switch random.below(24) {
      case 0: try insert(writer)
      case 1: try writer.execute("DELETE FROM t WHERE rowid % 3 = 1; INSERT INTO t (a) VALUES (4)")
      case 2:
        try? writer.transaction {
          try insert(writer); throw CancellationError()
        }
      case 3: writer.checkpoint(.passive)
      case 4: writer.checkpoint([.restart, .truncate][random.below(2)])
      case 5: turn += 2
      case 6: reader.discardHeldSnapshot()
      case 7: reader.interrupt()
      case 8:
        try writer.execute("ALTER TABLE t ADD COLUMN c\(turn)_\(held)_\(random.below(1 << 30))")
      default:
        _ = try reader.prepareRead(in: random.below(8) == 0 ? nil : turn)
        if reader.holdsSnapshot { held += 1 }
        let sql = "SELECT group_concat(rowid || ':' || a) FROM t"
        let found =
          try random.below(3) == 0
          ? reader.snapshot { try reader.text(sql) } : reader.text(sql)
        let other = try scratch.connection(.init(access: .readOnly))
        #expect(try other.text(sql) == found)
        other.close()
      }
    }
    #expect(held > 20)
  }
}
