import MagicSQLite

extension SharedStore {
  /// Returns this handle. The last one closes the database, after the running calls have ended.
  package func release() async {
    guard isUnused({ leases.removeHandle(isClosing: true) }) else { return }
    probe?.close()
    await readers?.close()
    await permits.close()
    await migrationPermits.close()
    // The writer goes last: it is the one that can empty the write-ahead log.
    await writer?.close()
    ending.removeDirectory()
  }

  /// Like ``release()`` without waiting for running reads; waiting ones get an error.
  ///
  /// - Parameter isClosing: whether the handle is closed, not just released: then leases do not keep
  ///   the store open.
  func releaseWithoutWaiting(isClosing: Bool) {
    if isUnused({ leases.removeHandle(isClosing: isClosing) }) { closeWithoutWaiting() }
  }

  func closeWithoutWaiting() {
    probe?.close()
    readers?.closeWithoutWaiting()
    permits.closeWithoutWaiting()
    migrationPermits.closeWithoutWaiting()
    writer?.closeWithoutWaiting()
    if writer?.count == 0 { ending.removeDirectory() }
  }

  func isUnused(_ leave: () -> Bool) -> Bool {
    guard !isForked else { return false }
    return key.map { StoreRegistry.shared.release($0, self, leave) } ?? leave()
  }
}
