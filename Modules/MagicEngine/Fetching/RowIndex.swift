public import MagicSchema

/// A hash table of the fetched rows of one type, by row ID.
@frozen @usableFromInline
package struct RowIndex {
  /// The rows while they are few, unordered.
  @usableFromInline var few: [PackedRow] = []
  @usableFromInline var keys: [Int64] = []
  @usableFromInline var rows: [PackedRow?] = []
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var mask = 0

  @inlinable package init() {}

  @inlinable static var fewLimit: Int { 16 }

  @inlinable package subscript(zIndex: Int64) -> PackedRow? {
    guard mask > 0 else { return few.first { $0.zIndex == zIndex } }
    return rows[slot(of: zIndex)]
  }

  /// Inserts a row. The row must not be in the table.
  @inlinable
  package mutating func insert(_ row: PackedRow) {
    if mask == 0, count < Self.fewLimit {
      few.append(row)
      count += 1
      return
    }
    if count * 2 >= mask { grow(to: max(Self.fewLimit * 4, (mask + 1) * 4)) }
    store(row, row.zIndex)
    count += 1
  }

  /// Reserves capacity for additional rows.
  package mutating func reserve(_ more: Int) {
    guard count + more > Self.fewLimit else { return few.reserveCapacity(count + more) }
    var capacity = mask + 1
    while capacity < (count + more) * 2 + 2 { capacity *= 2 }
    if capacity > mask + 1 { grow(to: max(Self.fewLimit * 4, capacity)) }
  }

  @usableFromInline
  mutating func grow(to capacity: Int) {
    let old = zip(keys, rows)
    keys = Array(repeating: 0, count: capacity)
    rows = Array(repeating: nil, count: capacity)
    mask = capacity - 1
    for case (let key, let row?) in old { store(row, key) }
    for row in few { store(row, row.zIndex) }
    few = []
  }

  @inlinable
  mutating func store(_ row: PackedRow, _ zIndex: Int64) {
    let slot = slot(of: zIndex)
    keys[slot] = zIndex
    rows[slot] = row
  }

  /// The slot that contains a row, or the free slot for it. The first slot depends on the low bits
  /// of the row ID, so that adjacent row IDs get adjacent slots. After a collision, the step
  /// depends on the hash of the row ID.
  @inlinable @inline(__always)
  func slot(of zIndex: Int64) -> Int {
    var slot = Int(truncatingIfNeeded: zIndex) & mask
    guard rows[slot] != nil, keys[slot] != zIndex else { return slot }
    let hash = UInt64(bitPattern: zIndex) &* 0x9E37_79B9_7F4A_7C15
    let step = Int(truncatingIfNeeded: hash &>> 32) | 1
    repeat { slot = (slot &+ step) & mask } while rows[slot] != nil && keys[slot] != zIndex
    return slot
  }
}
