/// A set of instance keys.
///
/// It is a hash table with linear probing. A `Set` takes several times as many instructions for a key,
/// because its hash function resists chosen keys. Instance keys are addresses, which are not chosen.
struct InstanceKeys: ExpressibleByArrayLiteral {
  /// The keys in their slots. 0 marks a free slot, because no instance has the address 0.
  private var slots: [UInt] = []
  private var count = 0

  init(arrayLiteral keys: UInt...) { for key in keys { insert(key) } }

  func contains(_ key: UInt) -> Bool { !slots.isEmpty && slots[slot(of: key)] == key }

  /// - Returns: whether the key was not in the set.
  @discardableResult
  mutating func insert(_ key: UInt) -> Bool {
    // At most half of the slots are used, so that there is always a free one.
    if 2 * (count + 1) > slots.count { grow() }
    let slot = slot(of: key)
    guard slots[slot] == 0 else { return false }
    slots[slot] = key
    count += 1
    return true
  }

  mutating func remove(_ key: UInt) {
    guard contains(key) else { return }
    var slot = slot(of: key)
    slots[slot] = 0
    count -= 1
    // The keys up to the next free slot may be in a slot after the one that is free now.
    while true {
      slot = (slot + 1) & (slots.count - 1)
      let moved = slots[slot]
      guard moved != 0 else { return }
      slots[slot] = 0
      slots[self.slot(of: moved)] = moved
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: max(16, 2 * old.count))
    for key in old where key != 0 { slots[slot(of: key)] = key }
  }

  /// Returns the slot that contains a key, or the free slot for it.
  private func slot(of key: UInt) -> Int {
    let mask = slots.count - 1
    let hash = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash &>> 32) & mask
    while slots[slot] != 0, slots[slot] != key { slot = (slot + 1) & mask }
    return slot
  }
}
