import Foundation
import MagicRuntime

/// Looks for commits of other processes, for all databases of this one that somebody observes: one
/// thread, which wakes five times in three seconds, and is not there while nobody observes.
final class ForeignWatch: @unchecked Sendable {
  static let shared = ForeignWatch()

  /// In seconds.
  static let interval = 0.6

  private let lock = Lock.heldAcrossForks()
  private var stores: [ObjectIdentifier: Weak] = [:]
  /// Where its thread is; nil while there is none.
  private var process: ProcessOrigin?
  private var wasWoken = false

  private final class Weak {
    weak var store: SharedStore?

    init(_ store: SharedStore) { self.store = store }
  }

  func enter(_ store: SharedStore) {
    lock.withLock { stores[ObjectIdentifier(store)] = Weak(store) }
  }

  func leave(_ store: ObjectIdentifier) {
    lock.withLock { stores[store] = nil }
  }

  /// Whether the thread is there.
  var isLooking: Bool { lock.withLock { isRunning } }

  private var isRunning: Bool { process?.isForked == false }

  /// The open stores that share a feed.
  func stores(of feed: ChangeFeed) -> [SharedStore] {
    // They are let go of outside of the lock: one of them may end with it, and leaves then.
    lock.withLock { stores.values.compactMap(\.store) }.filter { $0.feed === feed }
  }

  /// Somebody observes.
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
      // They are let go of outside of the lock: one of them may end with it, and leaves then.
      let known = lock.withLock {
        wasWoken = false
        return stores.values.compactMap(\.store)
      }
      let observed = known.filter { !$0.isForked && $0.feed.hasObservers }
      for store in observed { store.lookForForeignCommits() }
      if observed.isEmpty, rest() { return }
    }
  }

  /// Ends the thread, unless somebody has come to observe meanwhile.
  private func rest() -> Bool {
    lock.withLock {
      if !wasWoken { process = nil }
      return !wasWoken
    }
  }
}
