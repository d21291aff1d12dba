import Foundation
package import MagicRuntime

/// A value that becomes true once. Tasks read it (see ``eventually(_:)``), threads wait for it.
package final class Flag: Locked, @unchecked Sendable {
  private var value = false

  package override init() { super.init() }

  package var isSet: Bool { withLock { value } }
  package func set() { withLock { value = true } }

  /// Blocks the thread until it is set, at most a minute.
  package func wait() {
    for _ in 0..<12_000 where !isSet { Thread.sleep(forTimeInterval: 0.005) }
  }
}
