import MagicEngine
import MagicSQLite

extension RowIDSet {
  /// What is read for each row ID.
  enum Content {
    /// One row. Reading an unwanted row takes a fourth of the time of looking up a wanted one.
    case row
    /// Some join rows. Reading those of an unwanted owner takes longer than looking up a wanted
    /// one.
    case links

    fileprivate var widestSpan: Double {
      switch self {
      case .row: 4
      case .links: 1.25
      }
    }
  }

  /// Returns the range from the first to the last row ID, if it contains so few unwanted rows that
  /// reading the range is faster than looking up each row.
  func range(of content: Content) -> ClosedRange<Int64>? {
    guard let first = rowIDs.first, let last = rowIDs.last else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    return !overflow && Double(span) < Double(rowIDs.count) * content.widestSpan
      ? first...last : nil
  }

  /// Returns the statement that reads these rows, with its parameters bound: by one row ID, by a
  /// range, or by a JSON array. The list must not be empty.
  func bound(
    _ content: Content, one: () throws -> SQLiteStatement,
    range reading: () throws -> SQLiteStatement,
    listed: () throws -> SQLiteStatement
  ) throws -> SQLiteStatement {
    let select: SQLiteStatement
    if rowIDs.count == 1 {
      select = try one()
      try select.bind(rowIDs[0], at: 1)
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

  /// The row IDs as a JSON array.
  var json: String { "[\(rowIDs.lazy.map(String.init).joined(separator: ","))]" }
}
