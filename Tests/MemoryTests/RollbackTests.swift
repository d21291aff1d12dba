import CMemory
import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// A transaction whose body runs out of memory, and its rolling back as well. Each test has a process of
/// its own, in which SQLite was not used yet.
@Suite struct RollbackTests {
  /// Rolling back needs no memory that the beginning has not taken: no lock is left.
  @Test func aTransactionEndsWhileThereIsNoMemory() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let (connection, other) = try connections(in: directory)
        expectNoMemory(in: connection) { try connection.execute("INSERT INTO a VALUES ('lost')") }
        // This takes the lock at once, or is told that the database is locked.
        try other.transaction { try other.execute("INSERT INTO a VALUES ('other')") }
        #expect(try other.rows("SELECT * FROM a") == [["first"], ["other"]])
      }
    }
  }

  /// An index that is made in the transaction makes SQLite compile ROLLBACK again, which fails.
  @Test func whatCouldNotBeRolledBackIsNotCommittedWithTheNext() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let (connection, other) = try connections(in: directory)
        expectNoMemory(in: connection) {
          try connection.execute("INSERT INTO a VALUES ('lost'); CREATE INDEX i ON a (x)")
        }
        // Without this the test would show nothing: the lock says that the transaction is still there.
        let error = #expect(throws: SQLiteError.self) { try other.transaction {} }
        #expect(error?.code == .busy)
        #expect(!connection.isInTransaction)
        try connection.transaction { try connection.execute("INSERT INTO a VALUES ('next')") }
        #expect(try other.rows("SELECT * FROM a") == [["first"], ["next"]])
        try other.transaction {}
      }
    }
  }
}

/// Two connections to a new database; the first has begun no transaction yet.
private func connections(
  in directory: URL
) throws -> (SQLiteConnection, other: SQLiteConnection) {
  let path = directory.appendingPathComponent("test.sqlite3").path
  let configuration = SQLiteConfiguration(durability: .normal, busyTimeout: 0)
  let other = try SQLiteConnection(path: path, configuration: configuration)
  try other.execute("CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('first')")
  return (try SQLiteConnection(path: path, configuration: configuration), other)
}

/// Runs a transaction that writes and then runs out of memory, of which there is none until it has
/// thrown.
private func expectNoMemory(in connection: SQLiteConnection, after write: () throws -> Void) {
  let error = #expect(throws: SQLiteError.self) {
    try connection.transaction {
      try write()
      cmemory_fail(1, true)
      // SQLite takes back by itself what a statement fails in that runs, but not what it compiles.
      _ = try connection.prepare("SELECT '\(String(repeating: "x", count: 10_000))'")
    }
  }
  cmemory_heal()
  #expect(error?.code == .outOfMemory)
}
