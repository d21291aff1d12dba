import MagicEngine
import MagicSchema
import MagicSQLite
import MagicSQLText
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
        && StatementKeyword.changesRows(
          StatementKeyword.first(of: self.statement.text, dialect: .sqlite))
      return isCounted ? connection.changes : 0
    }
  }

  private func compile() throws -> SQLiteStatement {
    guard let text else { throw WritingStatement() }
    let statement =
      StatementKeyword.first(of: text, dialect: .sqlite) == "EXPLAIN"
      ? try store.explanation(ofUser: text) : try store.cachedStatement(ofUser: text)
    let arguments = try arguments(of: statement)
    store.arena.reset()
    for (index, argument) in arguments.enumerated() {
      try argument.bind(to: statement, at: index + 1, store)
    }
    return statement
  }

  /// Returns an argument for each parameter.
  private func arguments(of statement: SQLiteStatement) throws -> [RawArgument] {
    let (arguments, named) = (self.statement.arguments, self.statement.named)
    if named.isEmpty, statement.parameterCount == arguments.count { return arguments }
    var positional = arguments[...]
    var unused = Set(named.keys)
    var all: [RawArgument] = []
    for index in 0..<statement.parameterCount {
      guard let name = statement.parameterName(index + 1), !name.hasPrefix("?") else {
        if let argument = positional.popFirst() { all.append(argument) }
        continue
      }
      guard let argument = named[String(name.dropFirst())] else {
        throw MagicError.invalidSQL(
          "The parameter \(name) of the SQL has no value. Set it with "
            + "bind(\"\(name.dropFirst())\", to: …).")
      }
      unused.remove(String(name.dropFirst()))
      all.append(argument)
    }
    if let name = unused.min() { throw MagicError.noParameter(name) }
    guard positional.isEmpty, all.count == statement.parameterCount else {
      throw MagicError.invalidSQL(
        "The SQL has \(statement.parameterCount - all.count + arguments.count - positional.count) "
          + "parameters without a name, but \(arguments.count) values were interpolated. "
          + "Interpolate each value outside quotes and comments.")
    }
    return all
  }
}
