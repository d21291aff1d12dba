extension AsyncMagicDatabase {
  /// Releases every lock on the database's files, for as long as the process may be suspended: iOS
  /// ends an app that holds one then (0xDEAD10CC). To be called when the time in the background
  /// expires:
  ///
  /// ```swift
  /// await magic.suspend()
  /// // … and when the app is in the foreground again:
  /// magic.resume()
  /// ```
  ///
  /// Calls under way and later ones throw `.suspended` until ``resume()``: statements are interrupted
  /// and transactions rolled back, so that nothing of them is stored; a commit that has begun is
  /// finished, and its call reports success, or is not made. What was not stored is still marked as
  /// changed, and saved by the next try. A closure that a call runs is waited for.
  ///
  /// All `MagicData` on the file in this process are suspended together, and the file cannot be opened
  /// meanwhile. Streams of changes stay, and so do live results; they go on when it is
  /// resumed. Suspending twice does nothing more; neither does suspending a database in memory, and
  /// temporary directories stay locked, which no system asks about. Closing works as ever.
  ///
  /// An asset that was streamed into the folder and is not saved yet is kept; another process that
  /// opens the database meanwhile may remove it, and saving it then throws.
  ///
  /// It needs no thread of the cooperative pool, which reads under way may have all of.
  public nonisolated(nonsending) func suspend() async { await _store.store.suspending() }

  /// Lets calls in again. Resuming what is not suspended does nothing.
  ///
  /// It does not wait: what is still being suspended is resumed when that is done. Observers are
  /// notified once that other processes may have written. Where the file was moved, deleted or
  /// replaced meanwhile, calls throw `.fileMoved`.
  public func resume() { _store.store.resume() }
}
