import Foundation
import MagicEngine
import MagicFiles
import MagicRuntime
import MagicSQLite
import SQLiteChanges
import SQLiteEngine
import SQLiteFiles

extension SharedStore {
  /// Suspends all stores on the file. Blocks until the running calls have ended.
  package func suspend() { setSuspended(true) }

  /// Resumes all stores on the file. Waits for no other thread.
  package func resume() { setSuspended(false) }

  private func setSuspended(_ isSuspended: Bool) {
    // A database in memory has no file, and so no locks.
    guard let file, !lifecycle.isForked, !lifecycle.isClosed, let suspension = file.suspension
    else { return }
    suspension.set(isSuspended) { isSuspended in
      let stores = file.stores(under: suspension)
      if isSuspended { Self.suspend(stores) } else { Self.resume(stores) }
    }
  }

  private static func suspend(_ stores: [SharedStore]) {
    for store in stores { store.rejectCalls() }
    var pause = 0.0005
    while stores.count(where: { !$0.endReaders() }) > 0 {
      Thread.sleep(forTimeInterval: pause)
      pause = min(pause * 2, longestPause)
    }
    for store in stores { store.probe?.disconnect() }
    // The writer goes last: it is the one that can empty the write-ahead log.
    while stores.count(where: { !$0.endWriter() }) > 0 { Thread.sleep(forTimeInterval: pause) }
    for store in stores {
      store.files.folder.suspend()
      store.lifecycle.didSuspend()
    }
  }

  /// Between two interrupts, in seconds.
  private static let longestPause = 0.01

  private static func resume(_ stores: [SharedStore]) {
    for store in stores { store.admitCalls() }
    guard let feed = stores.first?.feed, feed.hasObservers else { return }
    FileThreads.async {
      // A connection that is there first sees what others write from then on. They may have written
      // before, and where none can be had, observers are to find out why.
      feed.checkForExternalCommits()
      feed.publishExternal()
    }
  }

  /// Admits no call, and tells those that wait.
  private func rejectCalls() {
    lifecycle.suspend()
    commits.rejectWaiters()
    writer?.suspend()
    readers?.suspend()
    permits.suspend()
    migrationPermits.suspend()
  }

  /// Ends the running calls.
  ///
  /// - Returns: whether nothing reads any more, nor works on the whole database.
  private func endReaders() -> Bool {
    tasks.suspend()
    readers?.forEach { $0.connection.giveUp() }
    writer?.forEach { $0.connection.giveUp() }
    let hasEnded = [readers?.endIdle() ?? true, permits.isUnused, migrationPermits.isUnused]
    return !hasEnded.contains(false)
  }

  private func endWriter() -> Bool {
    writer?.forEach { $0.connection.giveUp() }
    return writer?.endIdle() ?? true
  }

  private func admitCalls() {
    files.folder.resume()
    readers?.resume()
    writer?.resume()
    permits.resume()
    migrationPermits.resume()
    lifecycle.resume()
  }
}
