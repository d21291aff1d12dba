package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine

extension StoreConnection {
  /// Runs a query's statement: compiled, with its values, and with its lists where they are
  /// looked for.
  func run<Result>(
    _ query: PreparedQuery, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    guard query.hasLists else { return try runOnce(query, body) }
    return try connection.snapshot {
      try fill(query.values)
      let result = try runOnce(query, body)
      try empty(query.values)
      return result
    }
  }

  private func runOnce<Result>(
    _ query: PreparedQuery, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(for: query.shape) {
      try QueryRenderer.render(query, self.queryTable)
    }
    defer {
      statement.reset()
      diagnose(statement, types: [query.schema])
    }
    try bind(query.values, to: statement)
    guard statement.isReadOnly else { return try body(statement) }
    do {
      return try connection.heedingCancellation { try body(statement) }
    } catch let error as SQLiteError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// The integer that a query comes to; 0 where there is no row.
  package func integer(_ query: PreparedQuery) throws -> Int {
    guard try hasTable(of: query.schema) else { return 0 }
    return try run(query) { try $0.step() ? Int($0.column(0).integer) : 0 }
  }

  /// Whether a query has a row.
  package func hasRow(_ query: PreparedQuery) throws -> Bool {
    guard try hasTable(of: query.schema) else { return false }
    return try run(query) { try $0.step() }
  }
}
