import MagicEngine
package import MagicSQLite
import MagicSchema
package import SQLiteEngine
package import SQLiteFiles
import SQLiteTables

/// Refuses calls to a database from inside its own calls.
package protocol ReentrancyGuard: Sendable {
  /// Runs a body that calls closures of the user while this thread has a connection of the
  /// database. If a closure calls the database, that call is refused, because it would wait for
  /// this thread.
  func withReentrancyGuard<Result>(_ body: () throws -> Result) rethrows -> Result
}

/// The parts of a database that a task on the entire database needs.
package struct MaintenanceContext: Sendable {
  /// The source of a connection that no other thread uses.
  package enum Source: Sendable {
    /// A file: a connection that reads is created for the task. The writer is nil if the database
    /// is read-only.
    case file(makeReader: @Sendable () throws -> SQLiteConnection, writer: Pool?)
    /// Memory: there is only one connection, so other calls wait.
    case memory(Pool)
  }

  package typealias Pool = ConnectionPool<StoreConnection>

  package let source: Source
  package let files: StoreFiles
  /// How long to wait for a lock of another process, in seconds.
  package let busyTimeout: Double
  package let snapshots: OpenSnapshots
  package let reentrancy: any ReentrancyGuard

  package init(
    of source: Source, files: StoreFiles, busyTimeout: Double, snapshots: OpenSnapshots,
    reentrancy: any ReentrancyGuard
  ) {
    self.source = source
    self.files = files
    self.busyTimeout = busyTimeout
    self.snapshots = snapshots
    self.reentrancy = reentrancy
  }

  /// Runs the body with a connection that no other thread uses.
  func withOwnConnection<Result>(
    _ cancellation: CancellationToken, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    switch source {
    case .file(let makeReader, _):
      let connection = try makeReader()
      defer { connection.close() }
      try connection.prepareForFullScan()
      snapshots.beginFullRead()
      defer { snapshots.endFullRead() }
      return try connection.withCancellationCheck({ cancellation.isCancelled }) {
        try body(connection)
      }
    case .memory(let pool):
      return try pool.withConnectionBlocking { store in
        try reentrancy.withReentrancyGuard {
          try store.connection.withCancellationCheck({ cancellation.isCancelled }) {
            try body(store.connection)
          }
        }
      }
    }
  }

  /// Deletes files that could not be deleted while the folder was locked. If another thread has the
  /// writer, the next commit deletes them.
  func retryRemovals() {
    guard let writer, let free = try? writer.tryTake() else { return }
    defer { writer.give(free) }
    free.files.remove([], on: free.connection, retrying: true)
  }

  private var writer: Pool? {
    switch source {
    case .file(_, let writer): writer
    case .memory(let pool): pool
    }
  }
}
