import MagicRuntime
import MagicSQLite

/// Looks for commits to a file that this store only reads, with a connection of its own.
final class ForeignLookOut: @unchecked Sendable {
  private let lock = Lock()
  private let make: @Sendable () throws -> SQLiteConnection
  private var connection: SQLiteConnection?
  private var version: UInt32?
  private var isClosed = false
  private var isSuspended = false

  init(_ make: @escaping @Sendable () throws -> SQLiteConnection) { self.make = make }

  /// Whether somebody has committed since this was last asked; false the first time.
  func hasNews() -> Bool {
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
      letGo()
    }
  }

  /// Closes its connection until ``resume()``.
  func suspend() {
    lock.withLock {
      isSuspended = true
      letGo()
    }
  }

  func resume() { lock.withLock { isSuspended = false } }

  private func letGo() {
    connection?.close()
    (connection, version) = (nil, nil)
  }
}
