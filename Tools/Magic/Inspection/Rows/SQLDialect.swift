/// The parts of the SQL for rows that differ between SQLite and PostgreSQL.
package enum SQLDialect: Sendable {
  case sqlite, postgreSQL

  /// A parameter whose value is compared with a column.
  func parameter(for column: InspectedColumn) -> String {
    guard self == .postgreSQL else { return "?" }
    // There is no cast from bigint to boolean.
    let value = column.declaredType == "boolean" ? "CAST(? AS integer)" : "?"
    return "CAST(\(value) AS \(column.declaredType))"
  }

  /// The condition that a column differs from a value. NULL differs from all others.
  func isDifferent(_ column: InspectedColumn) -> String {
    let sign = self == .postgreSQL ? "IS DISTINCT FROM" : "IS NOT"
    return "\(column.column.quoted) \(sign) \(parameter(for: column))"
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
