import MagicEngine
import MagicSchema
import MagicStore

extension MagicStatement where Source: MagicDatabaseReader {
  /// Runs a read. In a transaction, the statement may also write and return rows.
  ///
  /// - Parameter model: the type of the objects that are read; nil for values.
  func reading<Result>(
    _ model: ObjectSchema? = nil, _ body: (StatementSession) throws -> Result
  ) throws -> Result {
    let transaction = source as? _MagicTransactionContext
    do {
      return try source._read {
        try body(
          StatementSession(statement: sql.statement, model: model, engine: .reader($0.reader)))
      }
    } catch is WritingStatement {
      guard let transaction else { throw MagicError.writesInRead }
      return try writing(in: transaction, model, body)
    }
  }

  private func writing<Result>(
    in transaction: _MagicTransactionContext, _ model: ObjectSchema?,
    _ body: (StatementSession) throws -> Result
  ) throws -> Result {
    try retryingAfterMigration {
      try transaction._write(isOneRow: false) {
        try body(
          StatementSession(statement: sql.statement, model: model, engine: .transaction($0.engine)))
      }
    } migrate: { schema in
      // The outdated table belongs to a type that the requested objects refer to. The failed
      // execution was rolled back.
      try transaction._write(isOneRow: false) { try $0.engine.updateTable(of: schema) }
    }
  }
}
