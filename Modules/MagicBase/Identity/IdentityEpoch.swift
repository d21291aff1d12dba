import CMagicRuntime

/// Counters of the changes to the identities of objects in this process. Code that caches the
/// identities of objects compares the counters to determine whether the cache may be outdated.
package struct IdentityEpoch: Equatable, Sendable {
  /// The number of changes.
  package let changes: UInt
  /// The number of changes to objects that had an identity before the change.
  package let departures: UInt

  /// The current counters. Identities that are read later include all changes that are counted in
  /// the result.
  package static var current: IdentityEpoch {
    let changes = magic_count_load(changeCount)
    return IdentityEpoch(changes: changes, departures: magic_count_load(departureCount))
  }

  /// Counts a change. Called after the change.
  ///
  /// - Parameter departure: whether the object had an identity before the change.
  package static func count(departure: Bool) {
    if departure { magic_count_add(departureCount) }
    magic_count_add(changeCount)
  }

  // Incremented atomically, and never deallocated.
  nonisolated(unsafe) private static let changeCount = makeCount()
  nonisolated(unsafe) private static let departureCount = makeCount()

  private static func makeCount() -> UnsafeMutablePointer<UInt> {
    let count = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }
}
