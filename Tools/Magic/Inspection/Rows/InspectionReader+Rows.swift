import Foundation
import MagicSQLite

extension InspectionReader: DatabaseReading {
  /// The reader with what it has in common with that of a server.
  var reading: any DatabaseReading { self }

  package var dialect: RowDialect { .sqlite }

  package func ifReadable<Result>(_ body: () throws -> Result) throws -> Result? { try body() }

  package func columnList(of type: InspectedType) -> String {
    ([InspectedType.rowIDColumn] + type.columns.map(\.column)).map(\.quoted)
      .joined(separator: ", ")
  }

  package func forEachRow(
    _ sql: String, _ values: [InspectedValue], of type: InspectedType, isScored: Bool,
    _ body: (InspectedRow) throws -> Void
  ) throws {
    try rows(sql, values) { statement in
      var row = row(statement, of: type)
      if isScored { row.score = statement.column(type.columns.count + 1).real }
      try body(row)
      return true
    }
  }

  package func rows(
    _ sql: String, _ values: [InspectedValue], valuesUpTo limit: Int
  ) throws -> [[InspectedValue]] {
    try map(sql, values) { statement in
      (0..<statement.columnCount).map { InspectedValue(statement.column($0), limit: limit) }
    }
  }

  /// Does nothing: a lookup in a file needs no message to a server.
  package func readReferences(to rowIDs: [Int64], of type: InspectedType) {}

  package func asset(named name: String) -> StoredAsset? {
    guard let url = assetFile(named: name) else { return nil }
    return .file(url, Self.fileSize(url.path))
  }

  private func row(_ statement: SQLiteStatement, of type: InspectedType) -> InspectedRow {
    InspectedRow(
      rowID: statement.column(0).integer,
      values: type.columns.indices.map {
        InspectedValue(statement.column($0 + 1), limit: valueLimit)
      })
  }
}

extension InspectionReader {
  /// Returns a page of a type's rows.
  public func page(of type: InspectedType, _ request: RowRequest) throws -> RowPage {
    try reading.page(of: type, request)
  }

  /// Returns rows by their row IDs, in the given order. Rows that do not exist are left out.
  public func rows(of type: InspectedType, _ rowIDs: [Int64]) throws -> [InspectedRow] {
    try reading.rows(of: type, rowIDs)
  }

  /// Calls a closure with every row of a type, in the order of row IDs.
  public func forEachRow(of type: InspectedType, _ body: (InspectedRow) throws -> Void) throws {
    try reading.forEachRow(of: type, body)
  }

  /// Counts the rows of a type that meet all conditions, for a limited time.
  public func count(
    of type: InspectedType, filters: [RowFilter] = [], search: RowSearch? = nil,
    within duration: Duration = .milliseconds(200)
  ) throws -> RowCount {
    try reading.count(of: type, filters: filters, search: search, within: duration)
  }

  /// Counts the values of a column, for a limited time. If the time is over, counts the first rows
  /// only, for the same time again. Of a search, and if the time is over again, it counts none.
  ///
  /// - Parameter isSample: whether it counts only the first rows, because all of them need too long.
  public func facets(
    of column: InspectedColumn, in type: InspectedType, filters: [RowFilter] = [],
    search: RowSearch? = nil, limit: Int = 20, within duration: Duration = .milliseconds(200),
    isSample: Bool = false, sample: Int = 5_000
  ) throws -> Facets {
    try reading.facets(
      of: column, in: type, filters: filters, search: search, limit: limit, within: duration,
      isSample: isSample, sample: sample)
  }
}
