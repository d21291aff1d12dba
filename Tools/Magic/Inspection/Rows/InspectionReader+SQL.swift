@_spi(Tools) import MagicSQLite

/// The rows of a SELECT.
public struct SQLResult: Sendable {
  /// The names of the columns.
  public let columns: [String]
  /// The rows.
  public let rows: [[InspectedValue]]
  /// Whether there are more rows than the limit permits.
  public let hasMore: Bool

  /// Creates a result of another engine.
  public init(columns: [String], rows: [[InspectedValue]], hasMore: Bool) {
    self.columns = columns
    self.rows = rows
    self.hasMore = hasMore
  }
}

/// Why a statement is executed the way it is: a step of its plan.
public struct PlanStep: Hashable, Sendable {
  /// The depth in the tree of steps, from 0.
  public let depth: Int
  /// What SQLite does.
  public let text: String
  /// Whether the step reads a table completely.
  public let isFullScan: Bool

  package init(depth: Int, text: String, isFullScan: Bool) {
    (self.depth, self.text, self.isFullScan) = (depth, text, isFullScan)
  }
}

extension InspectionReader {
  /// Runs one SELECT of a user.
  ///
  /// - Parameters:
  ///   - values: the values of the parameters, by their names without `:`, `@` or `$`, or by their
  ///     numbers.
  ///   - limit: the maximum number of rows.
  ///   - bytes: the maximum number of bytes of texts and blobs in all rows.
  /// - Throws: ``InspectionError``: `notReadOnly`, `invalidInput` and, above the bytes, `limit`.
  public func query(
    _ sql: String, values: [String: InspectedValue] = [:], limit: Int = 1_000,
    bytes: Int = 64 << 20
  ) throws -> SQLResult {
    try translatingErrors {
      let statement = try prepared(sql, values)
      defer { statement.reset() }
      let columns = (0..<statement.columnCount).map(statement.columnName)
      var rows: [[InspectedValue]] = []
      var size = 0
      while try statement.step() {
        guard rows.count < limit else {
          return SQLResult(columns: columns, rows: rows, hasMore: true)
        }
        let row = columns.indices.map { InspectedValue(statement.column($0), limit: valueLimit) }
        size += row.reduce(0) { $0 + min($1.byteCount, valueLimit) }
        guard size <= bytes else {
          throw InspectionError(.limit, "The rows have more than \(bytes) bytes.")
        }
        rows.append(row)
      }
      return SQLResult(columns: columns, rows: rows, hasMore: false)
    }
  }

  /// Returns the plan of a SELECT of a user, without running it.
  public func plan(of sql: String) throws -> [PlanStep] {
    try translatingErrors {
      _ = try prepared(sql, nil)
      let statement = try connection.prepareUserSQL("EXPLAIN QUERY PLAN " + sql)
      defer { statement.reset() }
      var depths: [Int64: Int] = [0: -1]
      var steps: [PlanStep] = []
      while try statement.step() {
        let depth = (depths[statement.column(1).integer] ?? -1) + 1
        depths[statement.column(0).integer] = depth
        let text = statement.column(3).text
        steps.append(
          PlanStep(
            depth: depth, text: text,
            isFullScan: text.hasPrefix("SCAN ") && !text.contains(" USING ")
              && text != "SCAN CONSTANT ROW"))
      }
      return steps
    }
  }

  /// Compiles a SELECT of a user.
  ///
  /// - Parameter values: the values of its parameters; nil if it is not run.
  private func prepared(
    _ sql: String, _ values: [String: InspectedValue]?
  ) throws -> SQLiteStatement {
    let statement = try connection.prepareUserSQL(sql)
    guard statement.isReadOnly, statement.columnCount > 0 else {
      throw InspectionError(
        .notReadOnly, "The statement is not a SELECT. The database is open for reading only.")
    }
    guard let values else { return statement }
    let names = (1...).prefix(statement.parameterCount).map { number in
      statement.parameterName(number).map { String($0.dropFirst()) } ?? String(number)
    }
    try InspectedValue.check(values, for: names)
    for (index, name) in names.enumerated() {
      try values[name]?.bind(to: statement, at: index + 1)
    }
    return statement
  }
}

extension InspectedValue {
  /// Checks that each parameter has a value, and each value a parameter.
  ///
  /// - Throws: ``InspectionError`` with `invalidInput`.
  package static func check(
    _ values: [String: InspectedValue], for parameters: [String]
  ) throws {
    if let name = parameters.first(where: { values[$0] == nil }) {
      throw InspectionError(.invalidInput, "The parameter \(name.shown) has no value.")
    }
    if let name = Set(values.keys).subtracting(parameters).min() {
      throw InspectionError(.invalidInput, "The SQL has no parameter \(name.shown).")
    }
  }
}
