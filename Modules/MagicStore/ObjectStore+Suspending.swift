import Foundation
import MagicSchema
import SQLiteEngine

extension ObjectStore {
  /// Lets go of every lock on the database's files, for as long as the process may be suspended: a
  /// system such as iOS ends an app that holds one then.
  ///
  /// ```swift
  /// try store.suspend()
  /// store.resume()
  /// ```
  ///
  /// Calls under way and later ones throw `.suspended` until ``resume()``: statements are interrupted
  /// and transactions rolled back, so that nothing of them is stored; a commit that has begun is
  /// finished, and its call reports success, or is not made. Closures that calls run are waited for.
  /// All stores on the file in this process are suspended together, and the file cannot be opened.
  /// Suspending twice does nothing more; neither does suspending a database in memory.
  ///
  /// A database that has many pages in its write-ahead log brings them into the file first.
  ///
  /// An asset that was streamed into the folder and is not saved yet is kept; another process that
  /// opens the database meanwhile may remove it, and saving it then throws.
  ///
  /// - Throws: `MagicError` with `.nestedCall` inside of a call of the store.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func suspend() throws {
    try shared.checkNotReentrant()
    shared.suspend()
  }

  /// Lets calls in again. Resuming what is not suspended does nothing.
  ///
  /// Who observes the database hears once that other processes may have written. Where the file was
  /// moved, deleted or replaced meanwhile, calls throw `.fileMoved`.
  public func resume() { shared.resume() }

  /// Suspends without blocking the task's thread.
  ///
  /// Reads under way may have all threads that tasks and queues run on, until they are interrupted: so
  /// a thread of its own does that.
  package nonisolated(nonsending) func suspending() async {
    guard !shared.lifecycle.isForked else { return }
    await withCheckedContinuation { continuation in
      let thread = Thread { [shared] in
        shared.suspend()
        continuation.resume()
      }
      thread.name = "MagicData.suspend"
      thread.start()
    }
  }
}
