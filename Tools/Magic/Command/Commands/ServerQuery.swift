import Foundation
import MagicData
import MagicInspection

/// A SELECT on a server of PostgreSQL, in its dialect. The transaction is one for reading.
struct ServerQuery {
  let sql: String
  let limit: Int
  let timeout: Double

  func run(on database: DatabaseArgument) async throws -> SQLResult {
    // A comment at the end of the SQL must not hide the parenthesis.
    let inner = sql.trimmingCharacters(in: .whitespacesAndNewlines.union([";"]))
    let subquery = "(\(inner)\n) AS magic_query"
    let limited = MagicSQL(
      stringLiteral: "SELECT * FROM \(subquery) LIMIT \(limit < .max ? limit + 1 : limit)")
    // A row without values, because a result without rows does not have the names of its columns.
    let named = MagicSQL(
      stringLiteral: "SELECT magic_names.* FROM (SELECT 1) AS magic_row LEFT JOIN "
        + "(SELECT * FROM \(subquery) LIMIT 0) AS magic_names ON true")
    let (columns, rows) = try await database.opening(seconds: timeout) { magic in
      try await magic.read { snapshot in
        let rows = try snapshot.sql(limited).rows()
        let first = try rows.first ?? snapshot.sql(named).rows().first
        return (first?.columns ?? [], rows)
      }
    }
    return SQLResult(
      columns: columns,
      rows: rows.prefix(limit).map { $0.values.map(InspectedValue.init) },
      hasMore: rows.count > limit)
  }
}

extension InspectedValue {
  init(_ value: MagicSQLValue) {
    switch value {
    case .null: self.init(Stored.null)
    case .integer(let integer): self.init(Stored.integer(integer))
    case .real(let real): self.init(Stored.real(real))
    case .text(let text): self.init(Stored.text(text))
    case .blob(let data): self.init(Stored.blob(Array(data)))
    }
  }
}
