import Foundation
import MagicEngine

extension MagicObjectStore {
  /// Releases every lock on the database's files, as the asynchronous `suspend()` of
  /// ``AsyncMagicDatabase``, but blocks the thread until the running calls have ended.
  ///
  /// - Throws: `MagicError` with `.nestedCall` inside of a call of the store.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func suspend() throws {
    try database.checkNotReentrant()
    database.suspend()
  }

  /// Lets calls in again, as `resume()` of ``AsyncMagicDatabase``.
  public func resume() { database.resume() }

  /// Suspends without blocking the task's thread.
  ///
  /// Running reads may have all threads that tasks and queues run on, until they are interrupted: so
  /// a thread of its own does that.
  package nonisolated(nonsending) func suspending() async {
    guard !database.lifecycle.isForked else { return }
    await withCheckedContinuation { continuation in
      let thread = Thread { [database] in
        database.suspend()
        continuation.resume()
      }
      thread.name = "MagicData.suspend"
      thread.start()
    }
  }
}
