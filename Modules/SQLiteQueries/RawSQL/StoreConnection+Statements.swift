package import MagicEngine
package import MagicSchema
import MagicSQLText
package import SQLiteEngine

extension StoreConnection {
  /// Checks a statement for errors that do not depend on the database.
  ///
  /// - Throws: `MagicError` with `.invalidQuery`.
  package func check(_ statement: RawStatement) throws { try statement.check() }

  /// Runs a statement that reads, and calls a closure with batches of its rows. There is at least
  /// one batch, which may be empty.
  ///
  /// - Parameters:
  ///   - model: the type of the objects that are read; nil for values.
  ///   - limit: the maximum number of rows that are read.
  /// - Throws: `MagicError`; ``WritingStatement`` if the statement writes.
  package func read(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws {
    let text = try statement.text(forReadingOn: self, statement.schemas(with: model))
    let execution = StatementExecution(
      statement: statement, text: text, store: self, mayWrite: false)
    _ = try execution.run(limit: limit, use)
  }

  /// Returns the query plan of a statement.
  package func plan(of statement: RawStatement) throws -> StatementPlan {
    let text = try statement.text(forReadingOn: self, statement.schemas)
    return try plan(of: text ?? statement.text, types: statement.schemas)
  }
}

extension WriteTransaction {
  /// Runs a statement to its end.
  ///
  /// - Parameters:
  ///   - model: the type of the objects that are read; nil for values.
  ///   - limit: the maximum number of rows in all batches.
  /// - Returns: the number of rows that the statement changed.
  package func run(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws -> Int {
    store.noteUnreportedChanges()
    if statement.isScript { return try runScript(statement) }
    try statement.check()
    for schema in statement.schemas(with: model) { try updateTable(of: schema) }
    if StatementKeyword.first(of: statement.text, dialect: .sqlite) == "ALTER" {
      try willAlterTableByUserSQL()
    }
    let text = try statement.text(forWritingOn: store, statement.schemas(with: model))
    let execution = StatementExecution(
      statement: statement, text: text, store: store, mayWrite: true)
    let changed = try execution.run(limit: limit, use)
    if StatementKeyword.createsTrigger(statement.text) { try checkTriggersAreTrusted() }
    try didRunUserSQL()
    return changed
  }
}

extension RawStatement {
  fileprivate func schemas(with model: ObjectSchema?) -> [ObjectSchema] {
    guard let model, !schemas.contains(where: { $0 === model }) else { return schemas }
    return schemas + [model]
  }
}
