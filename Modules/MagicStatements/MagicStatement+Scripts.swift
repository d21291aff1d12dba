import MagicEngine
import MagicSchema
public import MagicStore

extension MagicStatement {
  /// The SQL as several statements.
  private var script: RawStatement {
    var script = sql.statement
    script.isScript = true
    return script
  }
}

extension MagicStatement where Source: AsyncMagicDatabaseWriter {
  /// Runs several statements, separated by semicolons, in one transaction.
  ///
  /// ```swift
  /// try await magic.sql(
  ///   """
  ///   UPDATE \(table: Person.self) SET age = age + \(1);
  ///   DELETE FROM \(table: Person.self) WHERE age > \(120);
  ///   """
  /// ).runScript()
  /// ```
  ///
  /// The types that the SQL names and that were never saved get their tables first. The statements
  /// follow the rules of `run()`: none of them may end the transaction or change a setting.
  ///
  /// - Returns: the number of rows that the statements changed, without cascades.
  /// - Throws: `MagicError` of the first statement that fails, whose message contains the number of
  ///   the statement; or `CancellationError`. Nothing is stored then.
  @discardableResult
  public func runScript() async throws -> Int {
    let script = script
    return try await source._write(isRepeatable: true) {
      try $0.engine.run(script, nil, limit: 0) { _ in }
    }
  }
}

@available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
extension MagicStatement where Source: MagicDatabaseWriter {
  /// Like the asynchronous `runScript()`, but blocks the thread. Inside a transaction, the
  /// statements run in a savepoint, which is rolled back if one of them throws.
  @discardableResult
  public func runScript() throws -> Int {
    try source._write(isOneRow: false) { try $0.engine.run(script, nil, limit: 0) { _ in } }
  }
}
