import MagicSQLite

/// Z-indexes to look for: ascending, each once.
struct RowList {
  let zIndexes: [Int64]

  init(_ unordered: [Int64]) {
    guard zip(unordered, unordered.dropFirst()).contains(where: { $0 >= $1 }) else {
      zIndexes = unordered
      return
    }
    var list = unordered.sorted()
    var count = 0
    for zIndex in list where count == 0 || list[count - 1] != zIndex {
      list[count] = zIndex
      count += 1
    }
    list.removeSubrange(count...)
    zIndexes = list
  }

  /// What is read for each z-index.
  enum Content {
    /// One row. To read one that is not wanted costs a fourth of looking up one that is.
    case row
    /// Some links. To read those of an owner that is not wanted costs more than to look it up.
    case links

    fileprivate var widestSpan: Double {
      switch self {
      case .row: 4
      case .links: 1.25
      }
    }
  }

  /// From the first to the last, where so many between them are wanted that reading all costs less.
  func range(of content: Content) -> ClosedRange<Int64>? {
    guard let first = zIndexes.first, let last = zIndexes.last else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    return !overflow && Double(span) < Double(zIndexes.count) * content.widestSpan
      ? first...last : nil
  }

  /// The statement that reads these rows, by one z-index, from one to another, or by a JSON array,
  /// with its parameters bound. The list is not empty.
  func bound(
    _ content: Content, one: () throws -> SQLiteStatement,
    range reading: () throws -> SQLiteStatement,
    listed: () throws -> SQLiteStatement
  ) throws -> SQLiteStatement {
    let select: SQLiteStatement
    if zIndexes.count == 1 {
      select = try one()
      try select.bind(zIndexes[0], at: 1)
    } else if let range = range(of: content) {
      select = try reading()
      try select.bind(range.lowerBound, at: 1)
      try select.bind(range.upperBound, at: 2)
    } else {
      select = try listed()
      try select.bind(json, at: 1)
    }
    return select
  }

  /// Whether a z-index is wanted.
  ///
  /// - Complexity: O(log n).
  func contains(_ zIndex: Int64) -> Bool {
    let place = Self.place(of: zIndex, in: zIndexes)
    return place < zIndexes.count && zIndexes[place] == zIndex
  }

  /// Where a z-index is among ascending ones, or would go.
  static func place(of zIndex: Int64, in ascending: [Int64]) -> Int {
    var (low, high) = (0, ascending.count)
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < zIndex { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a z-index is wanted. Asked in ascending order, each time from where it was found last.
  func contains(_ zIndex: Int64, from place: inout Int) -> Bool {
    while place < zIndexes.count, zIndexes[place] < zIndex { place += 1 }
    return place < zIndexes.count && zIndexes[place] == zIndex
  }

  /// As a JSON array.
  var json: String { "[\(zIndexes.lazy.map(String.init).joined(separator: ","))]" }
}
