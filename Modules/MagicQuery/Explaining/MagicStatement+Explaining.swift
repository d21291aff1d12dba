public import MagicStore

extension MagicStatement where Source: AsyncDatabaseReader {
  /// How SQLite would go about the statement, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for SQL that makes no sense, or `CancellationError`.
  public func explain() async throws -> MagicPlan {
    try await reading { try $0.store.plan(of: $0.text ?? $0.sql.text, types: $0.sql.schemas) }
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: DatabaseReader {
  /// How SQLite would go about the statement, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for SQL that makes no sense.
  public func explain() throws -> MagicPlan {
    try reading { try $0.store.plan(of: $0.text ?? $0.sql.text, types: $0.sql.schemas) }
  }
}
