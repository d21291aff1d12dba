import MagicEngine
package import MagicSQLite
import MagicSchema
package import SQLiteEngine
package import SQLiteFiles
import SQLiteTables

/// Refuses calls of a store that come from inside its own calls.
package protocol ReentrancyGuard: Sendable {
  /// Runs work that calls the user's closures while this thread has a connection of the store: a call of
  /// the store that they make is refused, where it would wait for this thread.
  func withReentrancyGuard<Result>(_ body: () throws -> Result) rethrows -> Result
}

/// What work on a whole database needs of it.
package struct MaintenanceContext: Sendable {
  /// How work gets a connection that no other thread uses.
  package enum Source: Sendable {
    /// A file: a connection that reads is made for the work. The writer is nil where the database is only
    /// read.
    case file(makeReader: @Sendable () throws -> SQLiteConnection, writer: Pool?)
    /// Memory: there is one connection, so that others wait.
    case memory(Pool)
  }

  package typealias Pool = ConnectionPool<StoreConnection>

  package let source: Source
  package let files: StoreFiles
  /// How long a lock of another process is waited for, in seconds.
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
      try connection.prepareForWholeReads()
      snapshots.beginWholeRead()
      defer { snapshots.endWholeRead() }
      return try connection.heeding({ cancellation.isCancelled }) { try body(connection) }
    case .memory(let pool):
      return try pool.withConnectionBlocking { store in
        try reentrancy.withReentrancyGuard {
          try store.connection.heeding({ cancellation.isCancelled }) { try body(store.connection) }
        }
      }
    }
  }

  /// Removes files that could not be removed while the folder was held. Where another thread has the
  /// writer, the next commit does.
  func removeWaitingFiles() {
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
