/// A snapshot of the server in the form of `pg_snapshot`: the first transaction that was running, the
/// first one that had not begun, and those between them that were running.
package struct ServerSnapshot {
  private let end: UInt64
  private let running: Set<UInt64>

  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let end = UInt64(parts[1]) else { return nil }
    self.end = end
    running = Set(parts[2].split(separator: ",").compactMap { UInt64($0) })
  }

  /// Whether the snapshot sees a transaction that was committed.
  ///
  /// - Parameter transaction: the low 32 bits of its number, which is less than 2³¹ away from ``end``.
  package func sees(_ transaction: UInt32) -> Bool {
    let distance = Int32(bitPattern: transaction &- UInt32(truncatingIfNeeded: end))
    let number = end &+ UInt64(bitPattern: Int64(distance))
    return number < end && !running.contains(number)
  }
}
