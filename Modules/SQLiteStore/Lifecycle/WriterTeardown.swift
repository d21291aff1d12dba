import MagicEngine
import MagicRuntime
import SQLiteEngine
import SQLiteFiles

/// Closes the connection that writes, and the parts of the `SharedStore` that depend on it.
final class WriterTeardown: Sendable {
  private let files: StoreFiles
  private let lifecycle: StoreLifecycle
  private let log: CheckpointPolicy?
  private let freePages: FreePagePolicy?
  private let directory: Mutex<PrivateDirectory?>

  /// - Parameter directory: a directory that is deleted when the database is closed.
  init(
    files: StoreFiles, lifecycle: StoreLifecycle, log: CheckpointPolicy?,
    freePages: FreePagePolicy?, removing directory: PrivateDirectory?
  ) {
    self.files = files
    self.lifecycle = lifecycle
    self.log = log
    self.freePages = freePages
    self.directory = Mutex(directory)
  }

  /// Closes the connection, finally or for a suspension.
  func end(_ writer: StoreConnection) {
    let isFinal = lifecycle.isClosed || !lifecycle.isSuspended
    if isFinal {
      files.close(writer.connection)
      if lifecycle.isUndamaged { freePages?.willClose(writer.connection) }
    } else {
      files.suspend(writer.connection)
    }
    log?.willClose(writer.connection)
    writer.close()
    log?.didClose()
    if isFinal { removeDirectory() }
  }

  /// Deletes the directory of the closed database.
  func removeDirectory() {
    // The directory is released outside the lock.
    _ = directory.withLock { directory -> PrivateDirectory? in
      defer { directory = nil }
      return directory
    }
  }
}
