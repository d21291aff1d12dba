import MagicEngine
import MagicSQLite
import MagicSchema
import MagicStore

/// One run of raw SQL on a connection.
struct StatementExecution {
  let sql: MagicSQL
  /// The SQL as it is compiled; nil for a statement that writes and lacks a table.
  let text: String?
  let store: StoreConnection
  /// Whether the statement may write.
  let mayWrite: Bool

  private var connection: SQLiteConnection { store.connection }

  /// Calls the body with the statement, compiled and with its values, and resets it afterwards.
  func withStatement<Result>(_ body: (SQLiteStatement) throws -> Result) throws -> Result {
    try mappingSQL {
      let statement = try compile()
      defer {
        statement.reset()
        store.diagnose(statement, types: sql.schemas)
      }
      guard statement.isReadOnly || mayWrite else { throw WritingStatement() }
      return try connection.heedingCancellation { try body(statement) }
    }
  }

  /// Calls the body with each row until it returns false.
  ///
  /// - Parameter check: looks at the columns, which are known for certain once the statement has
  ///   stepped: SQLite compiles it anew where a table was changed.
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
  func run() throws -> Int {
    try withStatement { statement in
      var cancellation = CancellationCheck()
      while try statement.step() { try cancellation.count() }
      let isCounted =
        !statement.isReadOnly && StatementKeyword.changesRows(StatementKeyword.first(of: sql.text))
      return isCounted ? connection.changes : 0
    }
  }

  private func compile() throws -> SQLiteStatement {
    guard let text else { throw WritingStatement() }
    let statement =
      StatementKeyword.first(of: text) == "EXPLAIN"
      ? try store.explanation(ofUser: text) : try store.cachedStatement(ofUser: text)
    guard statement.parameterCount == sql.parameters.count else {
      throw MagicError.invalidSQL(
        "The SQL takes \(statement.parameterCount) values, and is given \(sql.parameters.count). "
          + "Values are interpolated, outside quotes and comments.")
    }
    store.arena.reset()
    for (index, parameter) in sql.parameters.enumerated() {
      try parameter.bind(to: statement, at: index + 1, store)
    }
    return statement
  }
}

/// A statement that writes was to be run where only reading is possible.
struct WritingStatement: Error {}

extension MagicSQL {
  /// Refuses what is wrong whatever the database is.
  ///
  /// - Throws: `MagicError`.
  func check() throws {
    if let mistake { throw mistake }
    let keyword = StatementKeyword.first(of: text)
    guard !StatementKeyword.isRefused(keyword) else {
      throw MagicError.invalidSQL("\(keyword) is not for raw SQL: \(Self.instead(of: keyword)).")
    }
  }

  private static func instead(of keyword: String) -> String {
    switch keyword {
    case "PRAGMA": "the settings are the library's; the functions named pragma_… can be read"
    case "ATTACH", "DETACH", "VACUUM": "the connections are shared"
    default: "transactions are made with transaction { }"
    }
  }
}
