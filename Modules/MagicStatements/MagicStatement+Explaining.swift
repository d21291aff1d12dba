import MagicEngine
public import MagicQuery
public import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader {
  /// Returns the query plan of the statement, without running it.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for invalid SQL, or `CancellationError`.
  public func explain() async throws -> MagicPlan {
    try await source.run(StatementPlanRequest(statement: sql.statement))
  }
}

@available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
extension MagicStatement where Source: MagicDatabaseReader {
  /// Like the asynchronous `explain()`, but blocks the thread.
  public func explain() throws -> MagicPlan {
    try source.run(StatementPlanRequest(statement: sql.statement))
  }
}

/// A request for the plan of a raw statement.
private struct StatementPlanRequest: ReadRequest {
  let statement: RawStatement

  func read(on reader: any EngineReader) throws -> MagicPlan {
    MagicPlan(try reader.plan(of: statement))
  }
}
