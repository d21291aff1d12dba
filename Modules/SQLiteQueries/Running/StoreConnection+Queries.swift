import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteSearch

extension StoreConnection {
  /// Runs the compiled statement of a query with its values. Long lists of values are inserted into
  /// temporary tables first.
  func run<Result>(
    _ query: PreparedQuery, step: UpdateStep? = nil, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    guard query.shape.searched.isEmpty else {
      return try searching(query) { try runWithLists(query, step, body) }
    }
    return try runWithLists(query, step, body)
  }

  private func runWithLists<Result>(
    _ query: PreparedQuery, _ step: UpdateStep?, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let variant = QueryVariant(of: query, step)
    guard let variant, variant.hasTables else { return try runOnce(query, variant, body) }
    return try connection.snapshot {
      try fillListTables(query.values)
      let result = try runOnce(query, variant, body)
      try emptyListTables(query.values)
      return result
    }
  }

  private func runOnce<Result>(
    _ query: PreparedQuery, _ variant: QueryVariant?, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(for: query.shape, variant) {
      try QueryRenderer.render(query, variant, self.queryTable)
    }
    defer {
      statement.reset()
      diagnose(
        statement, types: [query.schema], limitedRowsDepth: query.limitedRowsDepth)
    }
    try bind(query.values, to: statement, literals: variant?.literals)
    guard statement.isReadOnly else { return try body(statement) }
    return try withCancellationCheck { try body(statement) }
  }
}
