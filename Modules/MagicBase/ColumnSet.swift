/// A set of columns of a type, by index.
package struct ColumnSet: Hashable, Sendable {
  private var low: UInt64 = 0
  /// The bits of columns from 64 on. Empty for types with up to 64 columns.
  private var high: [UInt64] = []

  package init() {}

  package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  /// The number of columns in the set.
  package var count: Int { high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

  package mutating func insert(_ column: Int) {
    guard column >= 64 else {
      low |= 1 << UInt64(column)
      return
    }
    let word = column / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(column % 64)
  }

  package func contains(_ column: Int) -> Bool {
    guard column >= 64 else { return low >> UInt64(column) & 1 != 0 }
    let word = column / 64 - 1
    return word < high.count && high[word] >> UInt64(column % 64) & 1 != 0
  }

  package mutating func formUnion(_ other: ColumnSet) {
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for word in other.high.indices { high[word] |= other.high[word] }
  }

  package func isDisjoint(with other: ColumnSet) -> Bool {
    low & other.low == 0 && zip(high, other.high).allSatisfy { $0 & $1 == 0 }
  }

  /// The columns in ascending order.
  package var indices: [Int] {
    var indices: [Int] = []
    forEach { indices.append($0) }
    return indices
  }

  /// Calls the body for the columns in ascending order.
  @inline(__always)
  package func forEach(_ body: (Int) throws -> Void) rethrows {
    try Self.forEach(in: low, from: 0, body)
    for (word, bits) in high.enumerated() {
      try Self.forEach(in: bits, from: 64 * (word + 1), body)
    }
  }

  @inline(__always)
  private static func forEach(
    in bits: UInt64, from first: Int, _ body: (Int) throws -> Void
  ) rethrows {
    var rest = bits
    while rest != 0 {
      try body(first + rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// Creates a set from 60 bits that represent the columns from `first` on.
  package init(bits: UInt64, from first: Int) {
    guard first > 0 else {
      low = bits
      return
    }
    Self.forEach(in: bits, from: first) { insert($0) }
  }

  package static func all(_ count: Int) -> ColumnSet {
    var set = ColumnSet()
    for column in 0..<count { set.insert(column) }
    return set
  }
}
