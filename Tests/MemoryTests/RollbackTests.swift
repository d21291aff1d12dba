import CMemory
import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// A transaction whose body and rollback both run out of memory. Each test runs in a new process,
/// in which SQLite has not been used before.
@Suite struct RollbackTests {
  /// The rollback uses only memory that was allocated at the start, so no lock remains.
  @Test func aTransactionEndsWithoutMemory() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let (connection, other) = try connections(in: directory)
        expectNoMemory(in: connection) { try connection.execute("INSERT INTO a VALUES ('lost')") }
        // Without a busy timeout, this locks the database immediately or throws.
        try other.transaction { try other.execute("INSERT INTO a VALUES ('other')") }
        #expect(try other.rows("SELECT * FROM a") == [["first"], ["other"]])
      }
    }
  }

  /// Creating an index in the transaction makes SQLite recompile ROLLBACK, which fails.
  @Test func aFailedRollbackIsNotCommittedWithTheNextTransaction() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let (connection, other) = try connections(in: directory)
        expectNoMemory(in: connection) {
          try connection.execute("INSERT INTO a VALUES ('lost'); CREATE INDEX i ON a (x)")
        }
        // A precondition of the test: the lock shows that the transaction is still open.
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

/// Opens two connections to a new database; the first has not begun a transaction before.
private func connections(
  in directory: URL
) throws -> (SQLiteConnection, other: SQLiteConnection) {
  let path = directory.appendingPathComponent("test.sqlite3").path
  let configuration = SQLiteConfiguration(durability: .normal, busyTimeout: 0)
  let other = try SQLiteConnection(path: path, configuration: configuration)
  try other.execute("CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('first')")
  return (try SQLiteConnection(path: path, configuration: configuration), other)
}

/// Runs a transaction that writes and then runs out of memory. There is no memory until the
/// transaction has thrown.
private func expectNoMemory(in connection: SQLiteConnection, after write: () throws -> Void) {
  let error = #expect(throws: SQLiteError.self) {
    try connection.transaction {
      try write()
      cmemory_fail(1, true)
      // SQLite rolls back by itself if a running statement fails, but not if compiling fails.
      _ = try connection.prepare("SELECT '\(String(repeating: "x", count: 10_000))'")
    }
  }
  cmemory_heal()
  #expect(error?.code == .outOfMemory)
}
