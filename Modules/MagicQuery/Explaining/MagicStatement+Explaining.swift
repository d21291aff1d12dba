public import MagicStore

extension MagicStatement where Source: AsyncDatabaseReader {
  /// How SQLite would go about the statement, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for SQL that makes no sense, or `CancellationError`.
  public func explain() async throws -> MagicPlan {
    try await source.run(StatementRequest(sql, nil) { try $0.plan })
  }
}

extension StatementExecution {
  /// The plan that SQLite chooses for the statement.
  var plan: MagicPlan {
    get throws { try store.plan(of: text ?? sql.text, types: sql.schemas) }
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: DatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  public func explain() throws -> MagicPlan {
    try reading { try $0.plan }
  }
}
