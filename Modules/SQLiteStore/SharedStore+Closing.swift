import MagicEngine
import MagicSQLite
import SQLiteEngine

extension SharedStore {
  /// Returns a handle that is closed. The last one closes the database, after the running calls have
  /// ended.
  package func release() async {
    guard isUnused({ leases.removeHandle(isClosing: true) }) else { return }
    probe?.disconnect()
    await readers?.close()
    await permits.close()
    await migrationPermits.close()
    // The writer goes last: it is the one that can empty the write-ahead log.
    await writer?.close()
    teardown.removeDirectory()
  }

  /// Like ``release()`` without waiting for running reads; waiting ones get an error.
  ///
  /// - Parameter isClosing: whether the handle is closed, not just released: then leases do not keep
  ///   the store open.
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

  /// Removes a user of the store. Without any it is not found under its file any more.
  ///
  /// - Parameter leave: removes the user, and says whether none is left.
  private func isUnused(_ leave: () -> Bool) -> Bool {
    // Closing what is the parent's is left to the parent.
    guard !lifecycle.isForked else { return false }
    return file.map { $0.release(self, leave) } ?? leave()
  }
}
