import MagicRuntime
import SQLiteEngine
import SQLiteFiles

/// What ends with the connection that writes, or after it.
final class WriterTeardown: Locked, @unchecked Sendable {
  private let files: StoreFiles
  private let leases: any LeaseIssuer
  private let lifecycle: StoreLifecycle
  private let log: CheckpointPolicy?
  private var directory: PrivateDirectory?

  /// - Parameter directory: what is removed when the database is closed.
  init(
    files: StoreFiles, leases: any LeaseIssuer, lifecycle: StoreLifecycle,
    log: CheckpointPolicy?, removing directory: PrivateDirectory?
  ) {
    self.files = files
    self.leases = leases
    self.lifecycle = lifecycle
    self.log = log
    self.directory = directory
    super.init()
  }

  /// Closes the connection: for good, or while the database is suspended.
  func end(_ writer: StoreConnection) {
    let isForGood = leases.isClosed || !lifecycle.isSuspended
    if isForGood {
      files.close(writer.connection)
    } else {
      files.suspend(writer.connection)
    }
    log?.willClose(writer.connection)
    writer.close()
    log?.didClose()
    if isForGood { removeDirectory() }
  }

  /// The database is closed.
  func removeDirectory() {
    // It is released outside of the lock.
    _ = withLock {
      defer { directory = nil }
      return directory
    }
  }
}
