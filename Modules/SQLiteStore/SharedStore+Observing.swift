package import MagicEngine
import MagicSQLite
import SQLiteChanges
import SQLiteEngine
import SQLiteTables

extension SharedStore: ExternalChangeSource {
  /// Checks whether another process has committed. This is not needed while the writer is in use:
  /// the writer checks when it begins a transaction, and no other process can commit during the
  /// transaction.
  func checkForExternalCommits() {
    // Another process cannot open a database in memory.
    guard file != nil, !lifecycle.isClosed else { return }
    if let writer {
      guard let connection = try? writer.tryTake() else { return }
      connection.hook?.checkForExternalCommits()
      writer.give(connection)
    } else if let probe, !feed.hasWriter, probe.hasExternalCommit() {
      // If this process also has a store that writes the file, that store publishes its own commits
      // row by row, and checks for other processes.
      feed.publishExternal()
    }
  }

  /// Adds an observer of every commit from now on, until its handle is closed.
  package func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    // The new observer must not be notified of earlier commits of other processes.
    feed.checkForExternalCommits()
    feed.add(observer, owner: owner)
    if file != nil { DatabaseRegistry.poller.wake() }
  }
}

extension ChangeFeed {
  /// Creates a recorder of what is written on a connection.
  func makeRecorder(on connection: SQLiteConnection, _ owners: TableOwners) -> ChangeRecorder {
    ChangeRecorder(connection, feed: self, owners: owners) { self.discardPendingExternalChanges() }
  }

  /// Checks whether another process has committed, with each store that can detect it.
  func checkForExternalCommits() {
    for store in stores { store.checkForExternalCommits() }
  }

  /// Publishes commits that were made before a store that writes was opened. That store detects
  /// later ones.
  func publishPendingExternalChanges() {
    if hasPendingExternalChanges() { publishExternal() }
  }

  /// Discards the commits that the probes have detected, because the store that writes is about to
  /// close and has published them. That store checks again after this call.
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
  /// Polls for commits of other processes, for all databases of this process.
  static let poller = ExternalChangePoller {
    shared.stores.filter { $0.file != nil && !$0.lifecycle.isForked }
  }
}
