/// The most frequent values of a column.
public struct Facets: Hashable, Sendable {
  /// A value, and the number of rows that have it.
  public struct Facet: Hashable, Sendable {
    /// The value.
    public let value: InspectedValue
    /// The number of rows.
    public let count: Int
  }

  /// The most frequent values first.
  public let facets: [Facet]
  /// Whether there are more values.
  public let hasMore: Bool
  /// The number of rows that were counted: nil for all.
  public let sampleSize: Int?
}

extension DatabaseReading {
  /// Counts the values of a column, for a limited time. If the time is over, counts the first rows
  /// only, for the same time again. Of a search, and if the time is over again, it counts none.
  ///
  /// - Parameter isSample: whether it counts only the first rows, because all of them need too long.
  package func facets(
    of column: InspectedColumn, in type: InspectedType, filters: [RowFilter] = [],
    search: RowSearch? = nil, limit: Int = 20, within duration: Duration = .milliseconds(200),
    isSample: Bool = false, sample: Int = 5_000
  ) throws -> Facets {
    let rows = RowRequest(filters: filters, search: search)
    func counted(_ sample: Int?) throws -> Facets? {
      do {
        return try limited(to: duration) {
          try countedFacets(of: column, in: type, rows, limit: limit, sample: sample)
        }
      } catch let error as InspectionError where error.kind == .limit {
        return nil
      }
    }
    if !isSample, let facets = try counted(nil) { return facets }
    // Rows that a search finds can be far apart.
    let facets = search == nil ? try counted(sample) : nil
    return facets ?? Facets(facets: [], hasMore: true, sampleSize: 0)
  }

  private func countedFacets(
    of column: InspectedColumn, in type: InspectedType, _ rows: RowRequest, limit: Int,
    sample: Int?
  ) throws -> Facets {
    let name = column.column.quoted
    var source = "SELECT \(name) AS facet FROM \(type.table.quoted)"
    source += RowRequest.condition(rows.conditions(dialect))
    if let sample { source += " LIMIT \(sample)" }
    let sql = """
      SELECT facet, count(*) FROM (\(source)) AS facets GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT \(limit + 1)
      """
    let found = try self.rows(sql, rows.values, valuesUpTo: min(valueLimit, 4_096)).map {
      Facets.Facet(value: $0[0], count: Int($0[1].integer ?? 0))
    }
    return Facets(
      facets: Array(found.prefix(limit)), hasMore: found.count > limit, sampleSize: sample)
  }
}
