package import MagicEngine
package import MagicSchema
package import SQLiteEngine

extension RawStatement {
  /// Refuses what is wrong whatever the database is.
  ///
  /// - Throws: `MagicError`.
  package func check() throws {
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

  /// Runs a statement that reads.
  ///
  /// - Parameter model: the type that objects are read of.
  /// - Throws: ``WritingStatement`` for one that writes.
  package func read<Result>(
    on store: StoreConnection, _ model: ObjectSchema?,
    _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    let text = try text(forReadingOn: store, schemas(with: model))
    return try body(StatementExecution(statement: self, text: text, store: store, mayWrite: false))
  }

  /// Runs a statement that may write.
  package func write<Result>(
    in transaction: WriteTransaction, _ model: ObjectSchema? = nil,
    _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    for schema in schemas(with: model) { try transaction.updateTable(of: schema) }
    if StatementKeyword.first(of: text) == "ALTER" { try transaction.prepareForForeignAlteration() }
    let result = try body(
      StatementExecution(statement: self, text: text, store: transaction.store, mayWrite: true))
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
  package static var writesInRead: MagicError {
    .invalidSQL("The statement writes: use run(), or a transaction to read what it returns.")
  }
}
