import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine

/// One run of raw SQL on a connection.
struct StatementExecution {
  let statement: RawStatement
  /// The SQL as it is compiled; nil for a statement that writes and lacks a table.
  let text: String?
  let store: StoreConnection
  /// Whether the statement may write.
  let mayWrite: Bool

  private var connection: SQLiteConnection { store.connection }

  /// Calls the body with the statement, compiled and with its values, and resets it afterwards.
  private func withStatement<Result>(_ body: (SQLiteStatement) throws -> Result) throws -> Result {
    try mappingSQL {
      let statement = try compile()
      defer {
        statement.reset()
        store.diagnose(statement, types: self.statement.schemas)
      }
      guard statement.isReadOnly || mayWrite else { throw WritingStatement() }
      return try connection.withCancellationCheck { try body(statement) }
    }
  }

  /// Runs the statement, and hands out its rows in batches: one at least, which may be empty. One that
  /// writes runs to its end.
  ///
  /// - Parameter limit: the most rows that are handed out.
  /// - Returns: the rows that it changed.
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
        "The SQL takes \(statement.parameterCount) values, and is given \(self.statement.arguments.count). "
          + "Values are interpolated, outside quotes and comments.")
    }
    store.arena.reset()
    for (index, argument) in self.statement.arguments.enumerated() {
      try argument.bind(to: statement, at: index + 1, store)
    }
    return statement
  }
}
