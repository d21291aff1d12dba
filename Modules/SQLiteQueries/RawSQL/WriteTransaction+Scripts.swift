import MagicEngine
import MagicSQLText
import MagicSchema
import SQLiteEngine
import SQLiteTables

extension WriteTransaction {
  /// Runs the statements of a script one after the other.
  ///
  /// - Returns: the number of rows that the statements changed.
  /// - Throws: the error of the first statement that fails, with the number of the statement.
  func runScript(_ script: RawStatement) throws -> Int {
    if let mistake = script.mistake { throw mistake }
    let statements = try script.statements(dialect: .sqlite)
    var changed = 0
    for (index, statement) in statements.enumerated() {
      do {
        changed += try translatingErrors { try run(statement, nil, limit: 0) { _ in } }
      } catch let error as MagicError {
        throw MagicError(
          error.code, "Statement \(index + 1) of the script: \(error.message)", type: error.type,
          property: error.property, cause: error.cause ?? error, plan: error.plan,
          conflict: error.conflict)
      }
    }
    return changed
  }
}
