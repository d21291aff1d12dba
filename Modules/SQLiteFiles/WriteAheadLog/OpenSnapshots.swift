import MagicRuntime

/// The snapshots of a database that keep its write-ahead log from being emptied, the oldest first.
package final class OpenSnapshots: @unchecked Sendable {
  private let lock = Lock()
  private var pins: [SnapshotPin] = []
  private var wholeReads = 0

  package init() {}

  /// A snapshot has been read for the first time.
  func enter(_ pin: SnapshotPin) { lock.withLock { pins.append(pin) } }

  /// A snapshot is over.
  func remove(_ pin: SnapshotPin) {
    lock.withLock {
      if let index = pins.firstIndex(where: { $0 === pin }) { pins.remove(at: index) }
    }
  }

  /// The snapshots that may be taken away: none as long as a whole read keeps the log anyway.
  var oldestFirst: [SnapshotPin] { lock.withLock { wholeReads > 0 ? [] : pins } }

  /// Whether the whole database is being read, which is not taken away.
  var isReadWhole: Bool { lock.withLock { wholeReads > 0 } }

  /// A check or copy of the whole database begins to keep the log.
  package func beginWholeRead() { lock.withLock { wholeReads += 1 } }

  package func endWholeRead() { lock.withLock { wholeReads -= 1 } }
}
