import MagicEngine
import MagicRuntime
import MagicSQLite
import SQLiteEngine

/// Detects commits to a file that this store only reads, with a separate connection.
final class DataVersionProbe: @unchecked Sendable {
  private let lock = Lock()
  private let lifecycle: StoreLifecycle
  private let make: @Sendable () throws -> SQLiteConnection
  // Guarded by the lock.
  private var connection: SQLiteConnection?
  private var version: UInt32?

  init(_ lifecycle: StoreLifecycle, _ make: @escaping @Sendable () throws -> SQLiteConnection) {
    self.lifecycle = lifecycle
    self.make = make
  }

  /// Whether another connection has committed since the last call; false for the first call, and
  /// while the database is suspended or closed.
  func hasExternalCommit() -> Bool {
    lock.withLock {
      guard !lifecycle.isClosed, !lifecycle.isSuspended,
        let connection = connection ?? (try? make())
      else { return false }
      self.connection = connection
      guard let statement = try? connection.cachedStatement("PRAGMA data_version") else {
        return false
      }
      defer { statement.reset() }
      guard (try? statement.step()) == true else { return false }
      let known = version
      version = connection.dataVersion
      return known != nil && known != version
    }
  }

  /// Closes the connection. A new one is opened only after the database was resumed.
  func disconnect() {
    lock.withLock {
      connection?.close()
      (connection, version) = (nil, nil)
    }
  }
}
