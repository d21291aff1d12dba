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
    let limited = MagicSQL(
      stringLiteral: "SELECT * FROM (\(inner)\n) AS magic_query LIMIT \(limit + 1)")
    let rows = try await database.opening(seconds: timeout) {
      try await $0.sql(limited).rows()
    }
    return SQLResult(
      columns: rows.first?.columns ?? [],
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
