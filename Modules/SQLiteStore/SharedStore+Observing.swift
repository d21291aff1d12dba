package import MagicEngine
import MagicSQLite
import SQLiteChanges
import SQLiteEngine
import SQLiteTables

extension SharedStore: ExternalChangeSource {
  /// Checks whether another process has committed. While the writer is in use that is not needed: it
  /// checks by itself when it begins, and no other process commits while it writes.
  func checkForExternalCommits() {
    // Another process cannot open a database in memory.
    guard file != nil, !lifecycle.isClosed else { return }
    if let writer {
      guard let connection = try? writer.tryTake() else { return }
      connection.hook?.checkForExternalCommits()
      writer.give(connection)
    } else if let probe, !feed.hasWriter, probe.hasExternalCommit() {
      // A store of this process that writes publishes its commits row by row, and checks for others.
      feed.publishExternal()
    }
  }

  /// Adds an observer of every commit from now on, until its handle is closed.
  package func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    // What other processes have committed so far is not its concern.
    feed.checkForExternalCommits()
    feed.add(observer, owner: owner)
    if file != nil { DatabaseRegistry.poller.wake() }
  }
}

extension ChangeFeed {
  /// Records what is written on a connection.
  func makeRecorder(on connection: SQLiteConnection, _ owners: TableOwners) -> ChangeRecorder {
    ChangeRecorder(connection, feed: self, owners: owners) { self.discardPendingExternalChanges() }
  }

  /// Checks whether another process has committed, whichever store it is that can see it.
  func checkForExternalCommits() {
    for store in stores { store.checkForExternalCommits() }
  }

  /// A store that writes is open now, and checks from here on: what was committed before is
  /// published.
  func publishPendingExternalChanges() {
    if hasPendingExternalChanges() { publishExternal() }
  }

  /// The store that writes is about to close, and checks once more after this: what was committed
  /// before was published.
  func discardPendingExternalChanges() { _ = hasPendingExternalChanges() }

  private func hasPendingExternalChanges() -> Bool {
    guard hasObservers else { return false }
    var isPending = false
    for store in stores where store.probe?.hasExternalCommit() ?? false { isPending = true }
    return isPending
  }

  /// The stores that share the feed.
  private var stores: [SharedStore] { DatabaseRegistry.shared.stores.filter { $0.feed === self } }
}

extension DatabaseRegistry {
  /// Polls for commits of other processes, for all databases of this one.
  static let poller = ExternalChangePoller {
    shared.stores.filter { $0.file != nil && !$0.lifecycle.isForked }
  }
}
