import MagicRuntime

/// The snapshots of a database that keep its write-ahead log from being emptied, the oldest first.
package final class OpenSnapshots: Sendable {
  private struct State: Sendable {
    var pins: [SnapshotPin] = []
    var wholeReads = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// A snapshot has been read for the first time.
  func enter(_ pin: SnapshotPin) { state.withLock { $0.pins.append(pin) } }

  /// A snapshot is over.
  func remove(_ pin: SnapshotPin) {
    state.withLock { state in
      guard let index = state.pins.firstIndex(where: { $0 === pin }) else { return }
      state.pins.remove(at: index)
    }
  }

  /// The snapshots that may be taken away: none as long as a whole read keeps the log anyway.
  var oldestFirst: [SnapshotPin] { state.withLock { $0.wholeReads > 0 ? [] : $0.pins } }

  /// Whether the whole database is being read, which is not taken away.
  var isReadWhole: Bool { state.withLock { $0.wholeReads > 0 } }

  /// A check or copy of the whole database begins to keep the log.
  package func beginWholeRead() { state.withLock { $0.wholeReads += 1 } }

  package func endWholeRead() { state.withLock { $0.wholeReads -= 1 } }
}
