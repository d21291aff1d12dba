import MagicRuntime

/// The snapshots of a database that keep its write-ahead log from being emptied, the oldest first.
final class OpenSnapshots: @unchecked Sendable {
  private let lock = Lock()
  private var pins: [SnapshotPin] = []

  /// A snapshot has been read for the first time.
  func enter(_ pin: SnapshotPin) { lock.withLock { pins.append(pin) } }

  /// A snapshot is over.
  func remove(_ pin: SnapshotPin) {
    lock.withLock {
      if let index = pins.firstIndex(where: { $0 === pin }) { pins.remove(at: index) }
    }
  }

  var oldestFirst: [SnapshotPin] { lock.withLock { pins } }
}
