import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine

/// One execution of raw SQL on a connection.
struct StatementExecution {
  let statement: RawStatement
  /// The SQL to compile; nil for a statement that writes and names a missing table.
  let text: String?
  let store: StoreConnection
  /// Whether the statement may write.
  let mayWrite: Bool

  private var connection: SQLiteConnection { store.connection }

  /// Calls the body with the compiled statement and its bound values, and resets the statement
  /// afterwards.
  private func withStatement<Result>(_ body: (SQLiteStatement) throws -> Result) throws -> Result {
    try translatingSQLErrors {
      let statement = try compile()
      defer {
        statement.reset()
        store.diagnose(statement, types: self.statement.schemas)
      }
      guard statement.isReadOnly || mayWrite else { throw WritingStatement() }
      return try connection.withCancellationCheck { try body(statement) }
    }
  }

  /// Runs the statement and calls a closure with batches of its rows. There is at least one batch,
  /// which may be empty. A statement that writes runs to its end.
  ///
  /// - Parameter limit: the maximum number of rows in all batches.
  /// - Returns: the number of rows that the statement changed.
  func run(limit: Int, _ use: (StatementRows) throws -> Void) throws -> Int {
    try withStatement { statement in
      let isAtEnd = try store.readBatches(of: statement, limit: limit) { rows, firstRow in
        try use(StatementRows(rows, firstRow: firstRow) { statement.columnName($0) })
      }
      guard mayWrite else { return 0 }
      if !isAtEnd {
        var cancellation = CancellationCheck()
        while try statement.step() { try cancellation.count() }
      }
      let isCounted =
        !statement.isReadOnly
        && StatementKeyword.changesRows(StatementKeyword.first(of: self.statement.text))
      return isCounted ? connection.changes : 0
    }
  }

  private func compile() throws -> SQLiteStatement {
    guard let text else { throw WritingStatement() }
    let statement =
      StatementKeyword.first(of: text) == "EXPLAIN"
      ? try store.explanation(ofUser: text) : try store.cachedStatement(ofUser: text)
    guard statement.parameterCount == self.statement.arguments.count else {
      throw MagicError.invalidSQL(
        "The SQL has \(statement.parameterCount) parameters, but "
          + "\(self.statement.arguments.count) values were interpolated. "
          + "Interpolate each value outside quotes and comments.")
    }
    store.arena.reset()
    for (index, argument) in self.statement.arguments.enumerated() {
      try argument.bind(to: statement, at: index + 1, store)
    }
    return statement
  }
}
