import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine

/// One run of raw SQL on a connection.
package struct StatementExecution {
  let statement: RawStatement
  /// The SQL as it is compiled; nil for a statement that writes and lacks a table.
  let text: String?
  package let store: StoreConnection
  /// Whether the statement may write.
  let mayWrite: Bool

  private var connection: SQLiteConnection { store.connection }

  /// Calls the body with the statement, compiled and with its values, and resets it afterwards.
  func withStatement<Result>(_ body: (SQLiteStatement) throws -> Result) throws -> Result {
    try mappingSQL {
      let statement = try compile()
      defer {
        statement.reset()
        store.diagnose(statement, types: self.statement.schemas)
      }
      guard statement.isReadOnly || mayWrite else { throw WritingStatement() }
      return try connection.heedingCancellation { try body(statement) }
    }
  }

  /// Calls the body with each row until it returns false.
  ///
  /// - Parameter check: looks at the columns, which are known for certain once the statement has
  ///   stepped: SQLite compiles it again where a table was changed.
  func forEachRow(
    _ statement: SQLiteStatement, checking check: () throws -> Void,
    _ body: (inout SQLRow) throws -> Bool
  ) throws {
    var row = SQLRow(statement)
    var cancellation = CancellationCheck()
    var isThere = try statement.step()
    try check()
    while isThere {
      try cancellation.count()
      row.advance()
      store.digest?.add(statement, 0..<statement.columnCount)
      guard try body(&row) else {
        // A statement that writes is not left half-way.
        if !statement.isReadOnly { while try statement.step() {} }
        return
      }
      isThere = try statement.step()
    }
  }

  /// Runs the statement to its end.
  ///
  /// - Returns: the rows that it changed.
  package func run() throws -> Int {
    try withStatement { statement in
      var cancellation = CancellationCheck()
      while try statement.step() { try cancellation.count() }
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
