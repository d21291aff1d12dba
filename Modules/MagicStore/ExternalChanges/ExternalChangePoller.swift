import Foundation
import MagicRuntime
import SQLiteChanges

/// Polls for commits of other processes, for all databases of this one that have observers: one
/// thread, which wakes five times in three seconds, and ends when there are no observers.
final class ExternalChangePoller: @unchecked Sendable {
  static let shared = ExternalChangePoller()

  /// In seconds.
  static let interval = 0.6

  private let lock = Lock.heldAcrossForks()
  private var stores: [ObjectIdentifier: Weak] = [:]
  /// The process that the thread runs in; nil while it does not run.
  private var process: ProcessOrigin?
  private var wasWoken = false

  private final class Weak {
    weak var store: (any ExternalChangeSource)?

    init(_ store: any ExternalChangeSource) { self.store = store }
  }

  func enter(_ store: any ExternalChangeSource) {
    lock.withLock { stores[ObjectIdentifier(store)] = Weak(store) }
  }

  func leave(_ store: ObjectIdentifier) {
    lock.withLock { stores[store] = nil }
  }

  /// Whether the thread runs.
  var isPolling: Bool { lock.withLock { isRunning } }

  private var isRunning: Bool { process?.isForked == false }

  /// The open stores that share a feed.
  func stores(of feed: ChangeFeed) -> [any ExternalChangeSource] {
    // They are released outside of the lock: one of them may end with it, and leaves then.
    lock.withLock { stores.values.compactMap(\.store) }.filter { $0.feed === feed }
  }

  /// Starts the thread, where it does not run: an observer was added.
  func wake() {
    let isNeeded = lock.withLock {
      defer { wasWoken = true }
      guard !isRunning else { return false }
      process = ProcessOrigin()
      return true
    }
    guard isNeeded else { return }
    let thread = Thread { [self] in run() }
    thread.name = "MagicData.watch"
    thread.start()
  }

  private func run() {
    while true {
      Thread.sleep(forTimeInterval: Self.interval)
      // They are released outside of the lock: one of them may end with it, and leaves then.
      let known = lock.withLock {
        wasWoken = false
        return stores.values.compactMap(\.store)
      }
      let observed = known.filter { !$0.isForked && $0.feed.hasObservers }
      for store in observed { store.checkForExternalCommits() }
      if observed.isEmpty, rest() { return }
    }
  }

  /// Ends the thread, unless an observer was added meanwhile.
  private func rest() -> Bool {
    lock.withLock {
      if !wasWoken { process = nil }
      return !wasWoken
    }
  }
}
