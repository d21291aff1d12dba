import MagicEngine
public import MagicStore

extension MagicStatement where Source: AsyncMagicDatabaseReader {
  /// How the engine would go about the statement, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for SQL that makes no sense, or `CancellationError`.
  public func explain() async throws -> MagicPlan {
    try await source.run(StatementPlanRequest(statement: sql.statement))
  }
}

@available(*, noasync, message: "these calls block the thread: tasks use MagicData")
extension MagicStatement where Source: MagicDatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  public func explain() throws -> MagicPlan {
    try source.run(StatementPlanRequest(statement: sql.statement))
  }
}

/// The plan that the engine chooses for a raw statement.
private struct StatementPlanRequest: ReadRequest {
  let statement: RawStatement

  func read(on reader: any EngineReader) throws -> MagicPlan {
    MagicPlan(try reader.plan(of: statement))
  }
}
