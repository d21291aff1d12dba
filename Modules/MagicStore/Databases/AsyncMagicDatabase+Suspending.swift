extension AsyncMagicDatabase {
  /// Releases every lock on the database's files, so that the process may be suspended. iOS
  /// terminates a suspended app that holds a file lock (0xDEAD10CC). Call this when the background
  /// time of the app expires:
  ///
  /// ```swift
  /// await magic.suspend()
  /// // … and when the app is in the foreground again:
  /// magic.resume()
  /// ```
  ///
  /// Running and later calls throw `.suspended` until ``resume()``. Statements are interrupted and
  /// transactions are rolled back, so nothing of them is stored. A commit that has started is
  /// either completed, and its call reports success, or it has no effect. Objects that were not
  /// stored are still marked as changed, and the next update saves them. A closure that a call is
  /// running is not interrupted: the suspension waits for it.
  ///
  /// All `MagicData` on the file in this process are suspended together, and the file cannot be
  /// opened during the suspension. Streams of changes and live results stay open, and continue
  /// after ``resume()``. Suspending twice has no further effect. Suspending an in-memory database
  /// has no effect. The lock of a temporary directory is kept, because no system objects to it.
  /// Closing works as usual.
  ///
  /// An asset that was streamed into the folder but is not saved yet is kept. However, another
  /// process that opens the database during the suspension may remove it. Saving it then throws.
  ///
  /// The call needs no thread of the cooperative pool, all of which may be occupied by running
  /// reads.
  public nonisolated(nonsending) func suspend() async { await _store.store.suspending() }

  /// Ends the suspension. Resuming a database that is not suspended does nothing.
  ///
  /// The call does not wait. If the suspension is still in progress, the database is resumed at its
  /// end. Observers are notified once that other processes may have written. If the file was moved,
  /// deleted or replaced during the suspension, calls throw `.fileMoved`.
  public func resume() { _store.store.resume() }
}
