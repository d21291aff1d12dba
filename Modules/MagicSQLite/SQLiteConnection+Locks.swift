import CMagicRuntime
import CMagicSQLite

/// Waiting for the locks of other connections.
extension SQLiteConnection {
  /// Changes how long the connection waits for a lock, in seconds.
  package func setBusyTimeout(_ seconds: Double) {
    handle.busyTimeout = milliseconds(seconds)
  }

  /// Installs the busy handler, which SQLite calls before it waits for a lock.
  func installLockHandler() {
    sqlite3_busy_handler(
      handle.pointer,
      { context, count in
        guard let context else { return 0 }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        return handle.waitForLock(count) ? 1 : 0
      }, Unmanaged.passUnretained(handle).toOpaque())
  }

  /// Interrupts the statement that runs on another thread, and makes the connection stop waiting
  /// for locks permanently.
  ///
  /// SQLite ignores an interrupt between two statements. The caller therefore repeats this call
  /// until the connection is no longer in use.
  package func interruptPermanently() {
    magic_flag_store(handle.hasStoppedWaiting, true)
    interrupt()
  }
}

extension ConnectionHandle {
  /// Sleeps before the next attempt, with the same pauses as SQLite's own busy handler: short at
  /// first, then longer.
  ///
  /// - Returns: false if no further attempt is to be made.
  fileprivate func waitForLock(_ count: Int32) -> Bool {
    let number = magic_sqlite3_take_errno()
    if count == 0 { lockErrorNumber = 0 }
    if magic_grants_no_locks(number) {
      // The first error number may be from an earlier system call. The next one is from this lock.
      guard count > 0 else { return true }
      lockErrorNumber = number
      return false
    }
    let tries = Int(count)
    let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
    let waited =
      pauses.prefix(tries).reduce(0, +) + 100 * Int32(clamping: max(0, tries - pauses.count))
    let left = busyTimeout - waited
    guard left > 0, !magic_flag_load(hasStoppedWaiting) else { return false }
    sqlite3_sleep(min(left, tries < pauses.count ? pauses[tries] : 100))
    return true
  }
}
