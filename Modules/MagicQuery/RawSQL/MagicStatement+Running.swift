import MagicSchema
import MagicStore

extension MagicStatement where Source: DatabaseReader {
  /// Runs a read; in a transaction also a statement that writes and yields rows.
  ///
  /// - Parameter model: the type that objects are read of.
  func reading<Result>(
    _ model: ObjectSchema? = nil, _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    try sql.check()
    let transaction = source as? OpenTransaction
    do {
      return try source._read {
        try sql.read(on: $0.connection, model, body)
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
        try sql.write(in: $0.transaction, model, body)
      }
    } migrate: { schema in
      // Of a type that the objects which were asked for refer to. Nothing of the run has stayed.
      try transaction._write(isOneRow: false) { try $0.transaction.updateTable(of: schema) }
    }
  }
}

extension MagicSQL {
  func read<Result>(
    on store: StoreConnection, _ model: ObjectSchema?,
    _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    let text = try text(forReadingOn: store, schemas(with: model))
    return try body(StatementExecution(sql: self, text: text, store: store, mayWrite: false))
  }

  func write<Result>(
    in transaction: WriteTransaction, _ model: ObjectSchema? = nil,
    _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    for schema in schemas(with: model) { try transaction.updateTable(of: schema) }
    if StatementKeyword.first(of: text) == "ALTER" { try transaction.prepareForForeignAlteration() }
    let result = try body(
      StatementExecution(sql: self, text: text, store: transaction.store, mayWrite: true))
    if StatementKeyword.makesTrigger(text) { try transaction.refuseUntrustedTriggers() }
    try transaction.noteForeignChanges()
    return result
  }

  private func schemas(with model: ObjectSchema?) -> [ObjectSchema] {
    guard let model, !schemas.contains(where: { $0 === model }) else { return schemas }
    return schemas + [model]
  }
}

extension MagicError {
  static var writesInRead: MagicError {
    .invalidSQL("The statement writes: use run(), or a transaction to read what it returns.")
  }
}
