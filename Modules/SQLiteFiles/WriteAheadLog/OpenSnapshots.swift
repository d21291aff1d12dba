import MagicRuntime

/// The snapshots of a database that prevent the write-ahead log from being restarted, the oldest
/// first.
package final class OpenSnapshots: Sendable {
  private struct State: Sendable {
    var pins: [SnapshotPin] = []
    var fullReads = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// A snapshot was read for the first time.
  func enter(_ pin: SnapshotPin) { state.withLock { $0.pins.append(pin) } }

  /// A snapshot has ended.
  func remove(_ pin: SnapshotPin) {
    state.withLock { state in
      guard let index = state.pins.firstIndex(where: { $0 === pin }) else { return }
      state.pins.remove(at: index)
    }
  }

  /// The snapshots that may be revoked, the oldest first. None while the entire database is being
  /// read, because that read prevents the restart of the log too.
  var oldestFirst: [SnapshotPin] { state.withLock { $0.fullReads > 0 ? [] : $0.pins } }

  /// Whether the entire database is being read. This read is not revoked.
  var hasFullRead: Bool { state.withLock { $0.fullReads > 0 } }

  /// A verification or backup of the entire database starts to use the log.
  package func beginFullRead() { state.withLock { $0.fullReads += 1 } }

  package func endFullRead() { state.withLock { $0.fullReads -= 1 } }
}
