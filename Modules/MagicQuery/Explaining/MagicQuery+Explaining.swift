import MagicEngine
import MagicSchema
public import MagicStore

extension MagicQuery {
  private var explanation: PlanRequest {
    get throws { PlanRequest(query: try plan.objects(Model.self)) }
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// How the engine would go about the query for objects, which is not run. What their relationships
  /// refer to is fetched by statements of its own.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan { try source.run(explanation) }
}

extension MagicSelection {
  private var explanation: PlanRequest {
    get throws { PlanRequest(query: try PreparedQuery(Model.self, plan, .tuples)) }
  }
}

extension MagicSelection where Source: AsyncMagicDatabaseReader {
  /// How the engine would go about the selection, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }
}

extension MagicSelection where Source: MagicDatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan { try source.run(explanation) }
}

extension MagicGroups {
  private var explanation: PlanRequest {
    get throws { PlanRequest(query: try PreparedQuery(Model.self, counted, .tuples)) }
  }

  private var counted: QueryDescription {
    var plan = plan
    plan.selection = plan.groups + [MagicGroup<Model>().count.untyped]
    return plan
  }
}

extension MagicGroups where Source: AsyncMagicDatabaseReader {
  /// How the engine would go about the groups and their counts, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }
}

extension MagicGroups where Source: MagicDatabaseReader {
  /// As the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan { try source.run(explanation) }
}

/// The plan that the engine chooses for a query.
private struct PlanRequest: ReadRequest {
  let query: PreparedQuery

  func read(on reader: any EngineReader) throws -> MagicPlan {
    MagicPlan(try reader.plan(of: query))
  }
}
