import MagicRuntime
import MagicSQLite

/// Detects commits to a file that this store only reads, with a connection of its own.
final class DataVersionProbe: @unchecked Sendable {
  private let lock = Lock()
  private let make: @Sendable () throws -> SQLiteConnection
  private var connection: SQLiteConnection?
  private var version: UInt32?
  private var isClosed = false
  private var isSuspended = false

  init(_ make: @escaping @Sendable () throws -> SQLiteConnection) { self.make = make }

  /// Whether another connection has committed since the last call; false the first time.
  func hasExternalCommit() -> Bool {
    lock.withLock {
      guard !isClosed, !isSuspended, let connection = connection ?? (try? make()) else {
        return false
      }
      self.connection = connection
      guard let look = try? connection.cachedStatement("PRAGMA data_version") else { return false }
      defer { look.reset() }
      guard (try? look.step()) == true else { return false }
      let known = version
      version = connection.dataVersion
      return known != nil && known != version
    }
  }

  func close() {
    lock.withLock {
      isClosed = true
      disconnect()
    }
  }

  /// Closes its connection until ``resume()``.
  func suspend() {
    lock.withLock {
      isSuspended = true
      disconnect()
    }
  }

  func resume() { lock.withLock { isSuspended = false } }

  private func disconnect() {
    connection?.close()
    (connection, version) = (nil, nil)
  }
}
