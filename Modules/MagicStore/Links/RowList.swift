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

  /// From the first to the last, where at least every fourth row between them is wanted: reading a
  /// row that is not costs less than looking up one that is.
  var range: ClosedRange<Int64>? {
    guard let first = zIndexes.first, let last = zIndexes.last else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    return !overflow && span / 4 < Int64(zIndexes.count) ? first...last : nil
  }

  /// The statement that reads these rows, by one z-index, from one to another, or by a JSON array,
  /// with its parameters bound. The list is not empty.
  func bound(
    one: () throws -> SQLiteStatement, range reading: () throws -> SQLiteStatement,
    listed: () throws -> SQLiteStatement
  ) throws -> SQLiteStatement {
    let select: SQLiteStatement
    if zIndexes.count == 1 {
      select = try one()
      try select.bind(zIndexes[0], at: 1)
    } else if let range {
      select = try reading()
      try select.bind(range.lowerBound, at: 1)
      try select.bind(range.upperBound, at: 2)
    } else {
      select = try listed()
      try select.bind(json, at: 1)
    }
    return select
  }

  /// Whether a z-index is wanted. Asked in ascending order, each time from where it was found last.
  func contains(_ zIndex: Int64, from place: inout Int) -> Bool {
    while place < zIndexes.count, zIndexes[place] < zIndex { place += 1 }
    return place < zIndexes.count && zIndexes[place] == zIndex
  }

  /// As a JSON array.
  var json: String { "[\(zIndexes.lazy.map(String.init).joined(separator: ","))]" }
}
