import MagicEngine

/// Members of a list that were returned already, and whose links may have been moved to positions
/// after the current page. They are skipped when they are read again.
struct PendingMembers: Sendable {
  /// The maximum number of pending members. If it is exceeded, the older ones are discarded.
  static var limit: Int { SeenLinks.limit }

  /// The first link that was not read before. No link from it on is pending.
  var end: ListPlace?
  /// The number of pending links to each member.
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

  /// Removes a link to a pending member. Returns whether there was one. Called in the order of the
  /// list.
  mutating func take(_ link: ListPlace) -> Bool {
    guard count > 0 else { return false }
    if let end, link.position >= end.position {
      // The other pending links were removed from the list.
      self = PendingMembers()
      return false
    }
    guard let known = counts[link.target] else { return false }
    counts[link.target] = known > 1 ? known - 1 : nil
    count -= 1
    return true
  }
}
