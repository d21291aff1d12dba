public import MagicStore
import SQLiteQueries

extension MagicStatement where Source: AsyncDatabaseReader {
  /// How SQLite would go about the statement, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for SQL that makes no sense, or `CancellationError`.
  public func explain() async throws -> MagicPlan {
    try await source.run(StatementRequest(sql, nil) { MagicPlan(try $0.plan) })
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: DatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  public func explain() throws -> MagicPlan {
    try reading { MagicPlan(try $0.plan) }
  }
}
