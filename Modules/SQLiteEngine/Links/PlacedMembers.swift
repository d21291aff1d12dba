import MagicEngine
import MagicSchema

/// The members of owned lists that were inserted with their owner and position.
struct PlacedMembers {
  private struct Owner: Hashable {
    let list: ObjectIdentifier
    let rowID: Int64
  }

  /// The number of members at the beginning of each list.
  private var counts: [Owner: Int] = [:]

  /// Records that a member was inserted. Counts only members that follow one another.
  mutating func note(_ list: CollectionColumn, owner: Int64, index: Int64) {
    let owner = Owner(list: ObjectIdentifier(list), rowID: owner)
    if counts[owner, default: 0] == index { counts[owner] = Int(index) + 1 }
  }

  /// Removes the record of a list.
  ///
  /// - Returns: the number of members.
  mutating func take(_ list: CollectionColumn, owner: Int64) -> Int {
    guard !counts.isEmpty else { return 0 }
    return counts.removeValue(forKey: Owner(list: ObjectIdentifier(list), rowID: owner)) ?? 0
  }

  mutating func removeAll() { counts.removeAll() }
}
