import MagicEngine
import MagicSQLite

extension RowIDSet {
  /// What is read for each row ID.
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
    guard let first = rowIDs.first, let last = rowIDs.last else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    return !overflow && Double(span) < Double(rowIDs.count) * content.widestSpan
      ? first...last : nil
  }

  /// The statement that reads these rows, by one row ID, from one to another, or by a JSON array,
  /// with its parameters bound. The list is not empty.
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

  /// As a JSON array.
  var json: String { "[\(rowIDs.lazy.map(String.init).joined(separator: ","))]" }
}
