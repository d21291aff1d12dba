import CMagicRuntime

/// How often objects of this process have become other rows than they were. What remembers the
/// rows of objects looks here to learn whether it must look again.
package struct IdentityEpoch: Equatable, Sendable {
  /// Grows with every change.
  package let changes: UInt
  /// Grows when an object that was a row is that row no more.
  package let departures: UInt

  /// The counts as they are. Objects that are looked at later are seen with all that was counted.
  package static var current: IdentityEpoch {
    let changes = magic_count_load(changeCount)
    return IdentityEpoch(changes: changes, departures: magic_count_load(departureCount))
  }

  /// Called after each change.
  static func count(departure: Bool) {
    if departure { magic_count_add(departureCount) }
    magic_count_add(changeCount)
  }

  // Counted atomically, and never freed.
  nonisolated(unsafe) private static let changeCount = makeCount()
  nonisolated(unsafe) private static let departureCount = makeCount()

  private static func makeCount() -> UnsafeMutablePointer<UInt> {
    let count = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }
}
