package import MagicEngine
import MagicPostgreSQL
import MagicSQLText
package import MagicSchema
import PostgreSQLQueries
import PostgreSQLTables

/// Runs raw statements that may write.
extension PostgreSQLTransaction {
  package func run(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws -> Int {
    if statement.isScript { return try runScript(statement) }
    try statement.checkForPostgreSQL()
    for schema in statement.schemas { try updateTable(of: schema) }
    if let model, !statement.schemas.contains(where: { $0 === model }) {
      try updateTable(of: model)
    }
    let text = try statement.qualifiedText(dialect: .postgreSQL)
    let result = try session.inSavepoint(true) {
      try session.run(text, statement, isWriting: true)
    }
    note(writtenBy: statement)
    guard let reader = reader as? PostgreSQLReader else { return 0 }
    try reader.readBatches(of: result, limit: limit) { rows, firstRow in
      try use(StatementRows(rows, firstRow: firstRow) { result.columnName($0) })
    }
    return statement.changesRows ? result.affectedCount : 0
  }

  private func runScript(_ script: RawStatement) throws -> Int {
    if let mistake = script.mistake { throw mistake }
    var changed = 0
    for (index, statement) in try script.statements(dialect: .postgreSQL).enumerated() {
      do {
        changed += try run(statement, nil, limit: 0) { _ in }
      } catch let error as MagicError {
        throw MagicError(
          error.code, "Statement \(index + 1) of the script: \(error.message)", type: error.type,
          property: error.property, cause: error.cause ?? error, plan: error.plan,
          conflict: error.conflict)
      }
    }
    return changed
  }

  /// Records the tables that a statement may have written: those of the types that it names, and of
  /// other types whose tables it names.
  private func note(writtenBy statement: RawStatement) {
    let reading = ["SELECT", "VALUES", "EXPLAIN", "SHOW", "WITH", "TABLE"]
    let keyword = StatementKeyword.first(of: statement.text, dialect: .postgreSQL)
    let tokens = statement.tokensOfPostgreSQL
    let words = Set(tokens.compactMap(\.keyword))
    let isRun = keyword == "WITH" || keyword == "EXPLAIN" && words.contains("ANALYZE")
    let mayWrite = isRun && !words.isDisjoint(with: ["INSERT", "UPDATE", "DELETE", "MERGE"])
    guard statement.changesRows || mayWrite || !reading.contains(keyword) else { return }
    hasUncheckedReferences = true
    for token in tokens {
      if let name = token.identifier { note(written: name) }
    }
  }
}
