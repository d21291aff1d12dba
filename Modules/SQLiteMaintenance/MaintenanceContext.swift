package import MagicSQLite
import MagicSchema
package import SQLiteEngine
package import SQLiteFiles
import SQLiteTables

/// What work on a whole database needs of it.
package struct MaintenanceContext: Sendable {
  package let files: StoreFiles
  /// How long a lock of another process is waited for, in seconds.
  package let busyTimeout: Double
  package let snapshots: OpenSnapshots
  /// Makes a connection that reads; nil for a database in memory, which has one alone.
  package let makeReader: (@Sendable () throws -> SQLiteConnection)?
  /// The connection that writes; nil for a database that is only read.
  package let writer: ConnectionPool<StoreConnection>?
  /// Runs work that calls the user's closures while this thread has the writer: a call of the store
  /// that they make is refused, where it would wait for this thread.
  package let refusingNestedCalls: @Sendable (() throws -> Void) throws -> Void

  package init(
    files: StoreFiles, busyTimeout: Double, snapshots: OpenSnapshots,
    makeReader: (@Sendable () throws -> SQLiteConnection)?,
    writer: ConnectionPool<StoreConnection>?,
    refusingNestedCalls: @escaping @Sendable (() throws -> Void) throws -> Void
  ) {
    self.files = files
    self.busyTimeout = busyTimeout
    self.snapshots = snapshots
    self.makeReader = makeReader
    self.writer = writer
    self.refusingNestedCalls = refusingNestedCalls
  }

  /// Runs the body with a connection that no other thread uses: one that reads and is made for it; of
  /// a database in memory the only one there is, so that others wait.
  func withOwnConnection<Result>(
    _ cancellation: CancellationToken, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let makeReader else { return try withOnlyConnection(cancellation, body) }
    let connection = try makeReader()
    defer { connection.close() }
    try connection.prepareForWholeReads()
    snapshots.beginWholeRead()
    defer { snapshots.endWholeRead() }
    return try connection.heeding({ cancellation.isCancelled }) { try body(connection) }
  }

  private func withOnlyConnection<Result>(
    _ cancellation: CancellationToken, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let writer else { throw MagicError.closed() }
    return try writer.withConnectionBlocking { writer in
      var result: Result?
      try refusingNestedCalls {
        result = try writer.connection.heeding({ cancellation.isCancelled }) {
          try body(writer.connection)
        }
      }
      guard let result else { throw MagicError.closed() }
      return result
    }
  }

  /// Removes files that could not be removed while the folder was held. Where another thread has the
  /// writer, the next commit does.
  func removeWaitingFiles() {
    guard let writer, let free = try? writer.tryTake() else { return }
    defer { writer.give(free) }
    free.files.remove([], on: free.connection, retrying: true)
  }
}
