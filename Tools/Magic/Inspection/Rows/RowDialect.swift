/// The parts of the SQL for rows that differ between SQLite and PostgreSQL.
package enum RowDialect: Sendable {
  case sqlite, postgreSQL

  /// What determines the order of a column and whether its values are equal.
  func key(of column: InspectedColumn) -> String {
    let name = column.column.quoted
    // SQLite compares as the column declares it.
    return ignoresCase(column) ? "lower(\(name) COLLATE \"C\")" : name
  }

  /// A parameter whose value is compared with the key of a column.
  func parameter(for column: InspectedColumn) -> String {
    guard self == .postgreSQL else { return "?" }
    if ignoresCase(column) { return "lower(CAST(? AS text) COLLATE \"C\")" }
    // There is no cast from bigint to boolean.
    let value = column.declaredType == "boolean" ? "CAST(? AS integer)" : "?"
    return "CAST(\(value) AS \(column.declaredType))"
  }

  private func ignoresCase(_ column: InspectedColumn) -> Bool {
    self == .postgreSQL && column.collation == "caseInsensitive"
  }

  /// The condition that a column differs from a value. NULL differs from all others.
  func isDifferent(_ column: InspectedColumn) -> String {
    let sign = self == .postgreSQL ? "IS DISTINCT FROM" : "IS NOT"
    return "\(key(of: column)) \(sign) \(parameter(for: column))"
  }

  /// The condition that the text of a column has the form of a pattern. Upper and lower case of ASCII
  /// letters are equal.
  func isLike(_ column: InspectedColumn) -> String {
    let name = column.column.quoted
    switch self {
    case .sqlite:
      // The bytes of JSON are a text in UTF-8.
      let text = column.form == .json ? "CAST(\(name) AS TEXT)" : name
      return "\(text) LIKE ? ESCAPE '\\'"
    case .postgreSQL:
      let text =
        column.declaredType == "bytea"
        ? "convert_from(\(name), 'UTF8')" : "CAST(\(name) AS text)"
      return "\(text) COLLATE \"C\" ILIKE ? ESCAPE '\\'"
    }
  }
}
