import MagicEngine
import MagicRuntime
import SQLiteEngine
import SQLiteFiles

/// What ends with the connection that writes, or after it.
final class WriterTeardown: Sendable {
  private let files: StoreFiles
  private let lifecycle: StoreLifecycle
  private let log: CheckpointPolicy?
  private let directory: Mutex<PrivateDirectory?>

  /// - Parameter directory: what is removed when the database is closed.
  init(
    files: StoreFiles, lifecycle: StoreLifecycle, log: CheckpointPolicy?,
    removing directory: PrivateDirectory?
  ) {
    self.files = files
    self.lifecycle = lifecycle
    self.log = log
    self.directory = Mutex(directory)
  }

  /// Closes the connection: for good, or while the database is suspended.
  func end(_ writer: StoreConnection) {
    let isForGood = lifecycle.isClosed || !lifecycle.isSuspended
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
    _ = directory.withLock { directory -> PrivateDirectory? in
      defer { directory = nil }
      return directory
    }
  }
}
