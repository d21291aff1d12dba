import MagicSQLite
import MagicSchema
import SQLiteTables

/// Runs the body, turning what SQLite says against SQL that a user wrote into a `MagicError`. Any
/// other error of SQLite passes.
package func mappingSQL<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as SQLiteError {
    switch error.code {
    case .misuse where error == .closed(sql: error.sql): throw error
    case .error where error.isUntrustedSchemaError: throw error
    case .error, .misuse, .range: throw MagicError.refusedSQL(error.message, error)
    case .unauthorized:
      throw MagicError.refusedSQL(
        "it writes to the library's own tables, ends a transaction or changes a setting", error)
    case .mismatch:
      throw MagicError(
        .constraint, "A rule of the table is broken: \(error.message).", cause: error)
    case .interrupted where Task.isCancelled: throw CancellationError()
    default: throw error
    }
  }
}

extension MagicError {
  fileprivate static func refusedSQL(_ reason: String, _ error: SQLiteError) -> MagicError {
    MagicError(.invalidQuery, "The SQL is refused: \(reason).", cause: error)
  }

  static func invalidSQL(_ sentence: String) -> MagicError { MagicError(.invalidQuery, sentence) }
}
