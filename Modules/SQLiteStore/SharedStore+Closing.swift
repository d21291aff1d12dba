import MagicEngine
import MagicSQLite
import SQLiteEngine

extension SharedStore {
  /// Closes a handle. The last one closes the database, after the running calls have ended.
  package func release() async {
    guard isUnused({ leases.removeHandle(isClosing: true) }) else { return }
    probe?.disconnect()
    await readers?.close()
    await permits.close()
    await migrationPermits.close()
    // The writer is closed last, because only the last connection can empty the write-ahead log.
    await writer?.close()
    teardown.removeDirectory()
  }

  /// The same as ``release()``, but does not wait for running reads. Waiting reads get an error.
  ///
  /// - Parameter isClosing: whether the handle is closed and not only released. Leases then do not
  ///   keep the store open.
  package func releaseWithoutWaiting(isClosing: Bool) {
    if isUnused({ leases.removeHandle(isClosing: isClosing) }) { closeWithoutWaiting() }
  }

  /// A lease has ended.
  package func releaseLease() {
    if isUnused({ leases.removeLease() }) { closeWithoutWaiting() }
  }

  private func closeWithoutWaiting() {
    probe?.disconnect()
    readers?.closeWithoutWaiting()
    permits.closeWithoutWaiting()
    migrationPermits.closeWithoutWaiting()
    writer?.closeWithoutWaiting()
    if writer?.count == 0 { teardown.removeDirectory() }
  }

  /// Removes a handle or lease. After the last one, the store can no longer be found by its file.
  ///
  /// - Parameter leave: removes the handle or lease, and returns whether none is left.
  private func isUnused(_ leave: () -> Bool) -> Bool {
    // A forked child process does not close what belongs to its parent.
    guard !lifecycle.isForked else { return false }
    return file.map { $0.release(self, leave) } ?? leave()
  }
}
