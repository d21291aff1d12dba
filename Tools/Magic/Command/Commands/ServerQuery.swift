import Foundation
import MagicData
@_spi(Tools) import MagicDataPostgres
import MagicInspection

/// A SELECT on a server of PostgreSQL, in its dialect. The transaction is one for reading.
struct ServerQuery {
  private let sql: String
  /// The values of the parameters, by their names.
  private let values: [String: InspectedValue]
  private let limit: Int
  private let timeout: Double

  /// - Parameter values: the values of the parameters, by their names or numbers.
  /// - Throws: ``InspectionError`` with `invalidInput` for a parameter without a value, and a value
  ///   without a parameter; ``CommandError`` for a parameter whose number is out of range.
  init(
    sql: String, values: [String: InspectedValue], limit: Int, timeout: Double
  ) throws {
    let parameters: PostgresParameters
    do {
      parameters = try PostgresParameters(of: sql)
    } catch let error as MagicError {
      throw CommandError(ExitStatus.usage, error.message)
    }
    try InspectedValue.check(values, for: parameters.names)
    (self.sql, self.values, self.limit, self.timeout) = (parameters.sql, values, limit, timeout)
  }

  func run(on database: DatabaseArgument) async throws -> SQLResult {
    let limited = MagicSQL(
      stringLiteral: "SELECT * FROM \(subquery) LIMIT \(limit < .max ? limit + 1 : limit)")
    // A row without values, because a result without rows does not have the names of its columns.
    let named = MagicSQL(
      stringLiteral: "SELECT magic_names.* FROM (SELECT 1) AS magic_row LEFT JOIN "
        + "(SELECT * FROM \(subquery) LIMIT 0) AS magic_names ON true")
    let (columns, rows) = try await opening(database) { magic in
      try await magic.read { snapshot in
        let rows = try snapshot.sql(limited).binding(values).rows()
        let first = try rows.first ?? snapshot.sql(named).binding(values).rows().first
        return (first?.columns ?? [], rows)
      }
    }
    return SQLResult(
      columns: columns,
      rows: rows.prefix(limit).map { $0.values.map(InspectedValue.init) },
      hasMore: rows.count > limit)
  }

  /// Returns the plan of the statement.
  func plan(on database: DatabaseArgument) async throws -> [PlanStep] {
    let statement = MagicSQL(stringLiteral: "SELECT * FROM \(subquery)")
    let plan = try await opening(database) { magic in
      try await magic.sql(statement).binding(values).explain()
    }
    return Self.steps(plan.steps, 0)
  }

  /// Opens the database for the statement. The SQL is an argument of the command.
  private func opening<Result>(
    _ database: DatabaseArgument, _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    do {
      return try await database.opening(seconds: timeout, body)
    } catch let error as MagicError where error.code == .invalidQuery {
      throw CommandError(ExitStatus.usage, error.message)
    }
  }

  private static func steps(_ steps: [MagicPlan.Step], _ depth: Int) -> [PlanStep] {
    steps.flatMap { step in
      [PlanStep(depth: depth, text: step.text, isFullScan: step.isFullScan)]
        + Self.steps(step.steps, depth + 1)
    }
  }

  private var subquery: String {
    // A comment at the end of the SQL must not hide the parenthesis.
    let inner = sql.trimmingCharacters(in: .whitespacesAndNewlines.union([";"]))
    return "(\(inner)\n) AS magic_query"
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

extension MagicStatement {
  /// Returns the statement with values for named parameters.
  func binding(_ values: [String: InspectedValue]) -> Self {
    values.reduce(self) { statement, parameter in
      switch parameter.value.stored {
      case .null: statement.bind(parameter.key, to: String?.none)
      case .integer(let integer): statement.bind(parameter.key, to: integer)
      case .real(let real): statement.bind(parameter.key, to: real)
      case .text(let text): statement.bind(parameter.key, to: text)
      case .blob(let bytes): statement.bind(parameter.key, to: bytes)
      }
    }
  }
}
