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
  /// Running and later calls throw `.suspended` until ``resume()``. Statements are interrupted, and
  /// transactions are rolled back: none of their changes are stored. If a commit has already
  /// started, it either completes and its call returns normally, or it has no effect and its call
  /// throws. Objects that were not stored are still marked as changed, and the next update saves
  /// them. A closure that a call is running is not interrupted: the suspension waits until it
  /// returns.
  ///
  /// All `MagicData` on the file in this process are suspended together, and the file cannot be
  /// opened during the suspension. Streams of changes and live results stay open, and continue
  /// after ``resume()``. Suspending twice has no further effect. Suspending an in-memory database
  /// has no effect. The lock on the directory of a temporary database is kept, because no operating
  /// system terminates an app for it. A suspended database can be closed.
  ///
  /// An asset that was streamed into the folder but is not saved yet is kept. However, another
  /// process that opens the database during the suspension may remove its file. Saving the asset
  /// then throws.
  ///
  /// The call does not need a thread of the cooperative pool, because running reads may occupy all
  /// of them.
  public nonisolated(nonsending) func suspend() async { await _store.store.suspending() }

  /// Ends the suspension. Resuming a database that is not suspended does nothing.
  ///
  /// The call does not wait. If the suspension is still in progress, the database is resumed at its
  /// end. Observers are notified once, as after a commit of another process, because other
  /// processes may have written during the suspension. If the file was moved, deleted or replaced
  /// during the suspension, calls throw `.fileMoved`.
  public func resume() { _store.store.resume() }
}
