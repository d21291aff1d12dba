/// A hash table from hashes to positions. A hash may have several positions, and a position several
/// hashes.
///
/// The table uses linear probing. It stores hashes, not keys, so a lookup returns candidates that
/// the caller must compare.
struct PositionTable {
  private struct Slot {
    var hash: UInt32
    var position: UInt32

    static let empty = Slot(hash: 0, position: .max)
    var isEmpty: Bool { position == .max }
  }

  private var slots: [Slot] = []
  private var count = 0
  private var mask: Int { slots.count - 1 }

  /// Reserves capacity for a total number of entries.
  mutating func reserve(_ capacity: Int) {
    var size = max(slots.count, 8)
    while size * 3 < capacity * 4 { size *= 2 }
    guard size > slots.count else { return }
    let old = slots
    slots = Array(repeating: .empty, count: size)
    for slot in old where !slot.isEmpty { slots[freeSlotIndex(slot.hash)] = slot }
  }

  /// Returns the first position with the hash that satisfies the condition.
  func first(_ hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    var index = Int(hash) & mask
    while !slots[index].isEmpty {
      let slot = slots[index]
      if slot.hash == hash, isMatch(Int(slot.position)) { return Int(slot.position) }
      index = (index + 1) & mask
    }
    return nil
  }

  mutating func insert(_ position: Int, _ hash: UInt32) {
    count += 1
    reserve(count)
    slots[freeSlotIndex(hash)] = Slot(hash: hash, position: UInt32(truncatingIfNeeded: position))
  }

  mutating func remove(_ position: Int, _ hash: UInt32) {
    guard var hole = slotIndex(of: position, hash) else { return }
    count -= 1
    // The entries after the removed one are moved up, because a search ends at the first empty
    // slot.
    var next = (hole + 1) & mask
    while !slots[next].isEmpty {
      let home = Int(slots[next].hash) & mask
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = .empty
  }

  mutating func move(_ position: Int, to newPosition: Int, _ hash: UInt32) {
    guard let index = slotIndex(of: position, hash) else { return }
    slots[index].position = UInt32(truncatingIfNeeded: newPosition)
  }

  private func freeSlotIndex(_ hash: UInt32) -> Int {
    var index = Int(hash) & mask
    while !slots[index].isEmpty { index = (index + 1) & mask }
    return index
  }

  private func slotIndex(of position: Int, _ hash: UInt32) -> Int? {
    guard count > 0 else { return nil }
    var index = Int(hash) & mask
    while !slots[index].isEmpty {
      if slots[index].hash == hash, Int(slots[index].position) == position { return index }
      index = (index + 1) & mask
    }
    return nil
  }
}
