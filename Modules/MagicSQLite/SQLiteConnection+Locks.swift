import CMagicRuntime
import CMagicSQLite

/// Waiting for the locks of other connections.
extension SQLiteConnection {
  /// Changes how long a lock is waited for, in seconds.
  package func setBusyTimeout(_ seconds: Double) {
    handle.busyTimeout = milliseconds(seconds)
  }

  /// Lets SQLite ask before it waits for a lock.
  func installLockHandler() {
    sqlite3_busy_handler(
      handle.pointer,
      { context, count in
        guard let context else { return 0 }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        return handle.waitForLock(count) ? 1 : 0
      }, Unmanaged.passUnretained(handle).toOpaque())
  }

  /// Ends what runs on another thread, and what waits there for a lock, now and from now on.
  ///
  /// SQLite forgets an interrupt that comes between two statements: this is called again until the
  /// connection is not in use any more.
  package func giveUp() {
    magic_flag_store(handle.hasGivenUp, true)
    interrupt()
  }
}

extension ConnectionHandle {
  /// Pauses before the next try, as SQLite does by itself: short at first, then longer.
  ///
  /// - Returns: false where there is to be none.
  fileprivate func waitForLock(_ count: Int32) -> Bool {
    let number = magic_sqlite3_take_errno()
    if count == 0 { lockRefusal = 0 }
    if magic_grants_no_locks(number) {
      // The first number may be of an earlier call of the system, the next one is not.
      guard count > 0 else { return true }
      lockRefusal = number
      return false
    }
    let tries = Int(count)
    let pauses: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
    let waited =
      pauses.prefix(tries).reduce(0, +) + 100 * Int32(clamping: max(0, tries - pauses.count))
    let left = busyTimeout - waited
    guard left > 0, !magic_flag_load(hasGivenUp) else { return false }
    sqlite3_sleep(min(left, tries < pauses.count ? pauses[tries] : 100))
    return true
  }
}
