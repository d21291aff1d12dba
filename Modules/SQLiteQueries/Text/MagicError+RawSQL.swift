import MagicSQLite
import MagicSchema
import SQLiteTables

/// Runs the body and translates SQLite's errors about the user's SQL into a `MagicError`. Other
/// errors of SQLite are rethrown.
package func translatingSQLErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as SQLiteError {
    switch error.code {
    case .misuse where error == .closed(sql: error.sql): throw error
    case .error where error.isUntrustedSchemaError || error.readsOutdatedIndex: throw error
    case .error, .misuse, .range: throw MagicError.refusedSQL(error.message, error)
    case .unauthorized:
      throw MagicError.refusedSQL(
        "the statement writes to the library's own tables, ends a transaction or changes a setting",
        error)
    case .mismatch:
      throw MagicError(.constraint, "Constraint failed: \(error.message).", cause: error)
    case .interrupted where Task.isCancelled: throw CancellationError()
    default: throw error
    }
  }
}

extension MagicError {
  fileprivate static func refusedSQL(_ reason: String, _ error: SQLiteError) -> MagicError {
    MagicError(.invalidQuery, "Invalid SQL: \(reason).", cause: error)
  }
}
