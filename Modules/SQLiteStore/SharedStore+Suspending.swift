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

  /// Resumes all stores on the file. Does not wait for other threads.
  package func resume() { setSuspended(false) }

  private func setSuspended(_ isSuspended: Bool) {
    // A database in memory has no file and no locks.
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
    // The writer is closed last, because only the last connection can empty the write-ahead log.
    while stores.count(where: { !$0.endWriter() }) > 0 { Thread.sleep(forTimeInterval: pause) }
    for store in stores {
      store.files.folder.suspend()
      store.lifecycle.didSuspend()
    }
  }

  /// The time between two interrupts, in seconds.
  private static let longestPause = 0.01

  private static func resume(_ stores: [SharedStore]) {
    for store in stores { store.admitCalls() }
    guard let feed = stores.first?.feed, feed.hasObservers else { return }
    FileThreads.async {
      // Opening a connection detects later commits of other processes. Observers are notified in
      // any case, because other processes may have written before, and because an error of the
      // connection becomes visible only when an observer reads.
      feed.checkForExternalCommits()
      feed.publishExternal()
    }
  }

  /// Rejects new calls, and resumes waiting calls with an error.
  private func rejectCalls() {
    lifecycle.suspend()
    commits.rejectWaiters()
    writer?.suspend()
    readers?.suspend()
    permits.suspend()
    migrationPermits.suspend()
  }

  /// Interrupts the running calls.
  ///
  /// - Returns: whether all reads and all tasks on the entire database have ended.
  private func endReaders() -> Bool {
    tasks.suspend()
    readers?.forEach { $0.connection.interruptPermanently() }
    writer?.forEach { $0.connection.interruptPermanently() }
    let hasEnded = [readers?.endIdle() ?? true, permits.isUnused, migrationPermits.isUnused]
    return !hasEnded.contains(false)
  }

  private func endWriter() -> Bool {
    writer?.forEach { $0.connection.interruptPermanently() }
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
