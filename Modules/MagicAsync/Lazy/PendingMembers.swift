import MagicEngine

/// Members of a list that were returned already, and whose entries may have been moved to positions
/// after the current page. They are skipped when they are read again.
struct PendingMembers: Sendable {
  /// The maximum number of pending members. If it would be exceeded, all members that are pending
  /// at that time are discarded.
  static var limit: Int { SeenEntries.limit }

  /// The first entry that was not read before. No entry from it on is pending.
  var end: ListEntry?
  /// The number of pending entries of each member.
  private var counts: [Int64: Int] = [:]
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func makeRoom(for more: Int) {
    guard count + more > Self.limit else { return }
    counts = [:]
    count = 0
  }

  mutating func insert(_ member: Int64) {
    counts[member, default: 0] += 1
    count += 1
  }

  /// Removes an entry of a pending member. Returns whether there was one. Called in the order of
  /// the list.
  mutating func take(_ entry: ListEntry) -> Bool {
    guard count > 0 else { return false }
    if let end, entry.position >= end.position {
      // The other pending entries were removed from the list.
      self = PendingMembers()
      return false
    }
    guard let known = counts[entry.target] else { return false }
    counts[entry.target] = known > 1 ? known - 1 : nil
    count -= 1
    return true
  }
}
