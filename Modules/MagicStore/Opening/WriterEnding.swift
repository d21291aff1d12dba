import MagicRuntime

/// What ends with the connection that writes, or after it.
final class WriterEnding: Locked, @unchecked Sendable {
  private let surroundings: StoreSurroundings
  private let log: LogKeeper?
  private var directory: PrivateDirectory?

  /// - Parameter directory: what goes when the database is closed.
  init(
    _ surroundings: StoreSurroundings, log: LogKeeper?, removing directory: PrivateDirectory?
  ) {
    self.surroundings = surroundings
    self.log = log
    self.directory = directory
    super.init()
  }

  /// Closes the connection: for good, or while the database is suspended.
  func end(_ writer: StoreConnection) {
    let isForGood = surroundings.users.isClosed || !surroundings.admission.isSuspended
    if isForGood {
      surroundings.files.close(writer.connection)
    } else {
      surroundings.files.suspend(writer.connection)
    }
    if let log { log.close(writer) } else { writer.close() }
    if isForGood { removeDirectory() }
  }

  /// The database is closed.
  func removeDirectory() {
    // It goes outside of the lock.
    _ = withLock {
      defer { directory = nil }
      return directory
    }
  }
}
