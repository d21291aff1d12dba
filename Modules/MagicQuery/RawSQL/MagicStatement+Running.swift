import MagicEngine
import MagicSchema
import MagicStore
import SQLiteEngine
import SQLiteQueries

extension MagicStatement where Source: DatabaseReader {
  /// Runs a read; in a transaction also a statement that writes and yields rows.
  ///
  /// - Parameter model: the type that objects are read of.
  func reading<Result>(
    _ model: ObjectSchema? = nil, _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    try sql.statement.check()
    let transaction = source as? OpenTransaction
    do {
      return try source._read {
        try sql.statement.read(on: $0.connection, model, body)
      }
    } catch is WritingStatement {
      guard let transaction else { throw MagicError.writesInRead }
      return try writing(in: transaction, model, body)
    }
  }

  private func writing<Result>(
    in transaction: OpenTransaction, _ model: ObjectSchema?,
    _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    try retryingAfterMigration {
      try transaction._write(isOneRow: false) {
        try sql.statement.write(in: $0.transaction, model, body)
      }
    } migrate: { schema in
      // Of a type that the objects which were asked for refer to. Nothing of the run has stayed.
      try transaction._write(isOneRow: false) { try $0.transaction.updateTable(of: schema) }
    }
  }
}
