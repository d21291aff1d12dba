import MagicData
@_spi(Tools) import MagicDataPostgres
import MagicInspection
import MagicServerInspection

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
    try await reading(database) { reader in
      reader.valueLimit = .max
      return try reader.query(sql, values: values, limit: limit, bytes: .max)
    }
  }

  /// Reads with the limit of time of the command.
  private func reading<Result: Sendable>(
    _ database: DatabaseArgument, _ body: @Sendable (ServerReader) throws -> Result
  ) async throws -> Result {
    do {
      return try await database.reading(seconds: timeout, body)
    } catch let error as MagicError where error.code == .busy {
      // A statement that only reads waits for nothing else.
      throw InspectionError(.limit, "The time limit is exceeded.")
    }
  }

  /// Returns the plan of the statement.
  func plan(on database: DatabaseArgument) async throws -> [PlanStep] {
    try await reading(database) { try $0.plan(of: sql, values) }
  }
}
