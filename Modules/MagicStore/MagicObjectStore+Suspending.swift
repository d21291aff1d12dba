import Foundation
import MagicEngine

extension MagicObjectStore {
  /// Releases every lock on the database's files, as the asynchronous `suspend()` of
  /// ``AsyncMagicDatabase`` does, but blocks the thread until the running calls have ended.
  ///
  /// - Throws: `MagicError` with `.nestedCall` inside a call of the store.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func suspend() throws {
    try database.checkNotReentrant()
    database.suspend()
  }

  /// Ends the suspension, as `resume()` of ``AsyncMagicDatabase`` does.
  public func resume() { database.resume() }

  /// Suspends the database without blocking the task's thread.
  ///
  /// Running reads may occupy all threads of the task pool and of the dispatch queues until the
  /// suspension interrupts them. Therefore the suspension runs on a thread of its own.
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
