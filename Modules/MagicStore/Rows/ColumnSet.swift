/// Columns of a type, by position.
struct ColumnSet: Hashable {
  private var low: UInt64 = 0
  /// Empty for types of up to 64 columns.
  private var high: [UInt64] = []

  var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  mutating func insert(_ column: Int) {
    guard column >= 64 else {
      low |= 1 << UInt64(column)
      return
    }
    let word = column / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(column % 64)
  }

  func contains(_ column: Int) -> Bool {
    guard column >= 64 else { return low >> UInt64(column) & 1 != 0 }
    let word = column / 64 - 1
    return word < high.count && high[word] >> UInt64(column % 64) & 1 != 0
  }

  /// The columns in ascending order.
  var indices: [Int] { (0..<(high.count + 1) * 64).filter(contains) }

  static func all(_ count: Int) -> ColumnSet {
    var set = ColumnSet()
    for column in 0..<count { set.insert(column) }
    return set
  }
}
