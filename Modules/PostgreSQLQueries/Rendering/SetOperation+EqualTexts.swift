import MagicRequests

extension SetOperation {
  /// Returns the SQL of the operation on rows with different texts that are equal.
  ///
  /// - Parameters:
  ///   - rows: the rows of the operations before.
  ///   - columns: the columns of both, by their names.
  func combining(
    _ rows: String, _ others: String, _ columns: [SQLTerm], aliases: (row: String, other: String)
  ) -> String {
    let (row, other) = aliases
    let distinct = DistinctColumns(columns)
    let tail = "GROUP BY \(distinct.keys)"
    if self == .union {
      return "SELECT \(distinct.list) FROM (SELECT * FROM (\(rows)) AS \(other) "
        + "UNION ALL \(others)) AS \(row) \(tail)"
    }
    let conditions = columns.map { column in
      "\(column.named("\(row).\(column.text)").key.text) IS NOT DISTINCT FROM "
        + column.named("\(other).\(column.text)").key.text
    }
    return "SELECT \(distinct.list) FROM (\(rows)) AS \(row) "
      + "WHERE \(self == .except ? "NOT " : "")EXISTS (SELECT FROM (\(others)) AS \(other) "
      + "WHERE \(conditions.joined(separator: " AND "))) \(tail)"
  }
}
