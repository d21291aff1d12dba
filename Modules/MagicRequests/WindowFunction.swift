/// The rows of a partition that a function uses, as positions relative to the current row.
package struct WindowFrame: Sendable, Equatable {
  /// The first position; nil if the frame begins with the partition.
  package let first: Int?
  /// The last position; nil if the frame ends with the partition.
  package let last: Int?

  /// A position that no partition has, such as `Int.min` and `Int.max`, is replaced: by the beginning or
  /// the end of the partition, or by a position outside of every partition.
  package init(first: Int?, last: Int?) {
    let limit = Self.limit
    self.first = first.flatMap { $0 <= -limit ? nil : Swift.min($0, limit) }
    self.last = last.flatMap { $0 >= limit ? nil : Swift.max($0, -limit) }
  }

  /// Engines add positions to the number of a row, which must not overflow.
  private static let limit = 1 << 62

  /// All rows of the partition.
  package static let partition = WindowFrame(first: nil, last: nil)
  /// The rows from the first of the partition to the current one.
  package static let running = WindowFrame(first: nil, last: 0)
}

/// A function that is computed over a window.
package enum WindowFunction: Sendable, Equatable {
  /// 1 plus the number of rows with a smaller order.
  case rank
  /// 1 plus the number of distinct smaller orders.
  case denseRank
  case rowNumber
  /// The number of the part, if the rows are divided into this number of equal parts.
  case tile(Int)
  /// The value of the row this number of rows before.
  case lag(Int)
  /// The value of the row this number of rows after.
  case lead(Int)
  /// The value of the first row of the frame.
  case first
  /// The value of the last row of the frame.
  case last
  case rowCount
  case aggregate(AggregateFunction)

  /// The function with a distance or number of parts that every engine accepts. No partition has so many
  /// rows that the result differs.
  var clamped: WindowFunction {
    func clamped(_ number: Int) -> Int { Int(Int32(clamping: number)) }
    return switch self {
    case .tile(let count): .tile(clamped(count))
    case .lag(let distance): .lag(clamped(distance))
    case .lead(let distance): .lead(clamped(distance))
    default: self
    }
  }

  /// Whether rows with equal orders have equal results, so that no further order distinguishes them.
  package var isRank: Bool { self == .rank || self == .denseRank }

  /// Numbers that identify the function in hashes.
  var numbers: (Int, Int) {
    switch self {
    case .rank: (0, 0)
    case .denseRank: (1, 0)
    case .rowNumber: (2, 0)
    case .tile(let count): (3, count)
    case .lag(let distance): (4, distance)
    case .lead(let distance): (5, distance)
    case .first: (6, 0)
    case .last: (7, 0)
    case .rowCount: (8, 0)
    case .aggregate(let function): (9, function.numbers.0)
    }
  }
}
