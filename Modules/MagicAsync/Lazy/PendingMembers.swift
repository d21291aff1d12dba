import MagicEngine

/// Members of a list that were read, and whose links may have been moved behind the place where its
/// pages are: there they are not read again.
struct PendingMembers: Sendable {
  /// Where more than these are moved, those of moves before are given up.
  static var limit: Int { SeenLinks.limit }

  /// From this link on nothing was read.
  var end: ListPlace?
  /// How often each is outstanding.
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

  /// Whether a link refers to a member that is outstanding: it is not any more. Asked in the order
  /// of the list.
  mutating func take(_ link: ListPlace) -> Bool {
    guard count > 0 else { return false }
    if let end, link.position >= end.position {
      // Those that did not come were removed.
      self = PendingMembers()
      return false
    }
    guard let known = counts[link.target] else { return false }
    counts[link.target] = known > 1 ? known - 1 : nil
    count -= 1
    return true
  }
}
