import MagicEngine
import MagicSchema
public import MagicStore

extension MagicQuery {
  private var explanation: PlanRequest {
    get throws { PlanRequest(query: try plan.objects(Model.self)) }
  }

  private func explanation(_ cursor: MagicCursor?, _ limit: Int) throws -> PlanRequest {
    PlanRequest(
      query: try PageRequest<Model>(plan, loading, cursor, limit: limit, isBackward: false).parts[0]
    )
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the query plan of the query for objects, without running it. The objects that they
  /// refer to are fetched by other statements, which the plan does not show.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query, or `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }

  /// Returns the query plan of a page, without running it. If the order begins with an optional
  /// property, the rows with nil may be read by a second statement, which the plan does not show.
  ///
  /// - Throws: `MagicError`, for the same reasons as the page, or `CancellationError`.
  public func explainPage(
    after cursor: MagicCursor? = nil, limit: Int
  ) async throws -> MagicPlan { try await source.run(explanation(cursor, limit)) }

  /// Whether the query for objects scans no table fully without an index. Without a condition it
  /// reads the whole table, unless an index has its order.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query, or `CancellationError`.
  public var isIndexed: Bool { get async throws { try await explain().isIndexed } }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func explain() throws -> MagicPlan { try source.run(explanation) }

  /// Like the asynchronous `explainPage(after:limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func explainPage(after cursor: MagicCursor? = nil, limit: Int) throws -> MagicPlan {
    try source.run(explanation(cursor, limit))
  }

  /// Like the asynchronous `isIndexed`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public var isIndexed: Bool { get throws { try explain().isIndexed } }
}

extension MagicSelection {
  private var explanation: PlanRequest {
    get throws { PlanRequest(query: try PreparedQuery(Model.self, plan, .tuples)) }
  }
}

extension MagicSelection where Source: AsyncMagicDatabaseReader {
  /// Returns the query plan of the selection, without running it.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query, or `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }
}

extension MagicSelection where Source: MagicDatabaseReader {
  /// Like the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
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
  /// Returns the query plan for the keys of the groups and their counts, without running it.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query, or `CancellationError`.
  public func explain() async throws -> MagicPlan { try await source.run(explanation) }
}

extension MagicGroups where Source: MagicDatabaseReader {
  /// Like the asynchronous `explain()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func explain() throws -> MagicPlan { try source.run(explanation) }
}

/// A request for the plan of a query.
private struct PlanRequest: ReadRequest {
  let query: PreparedQuery

  func read(on reader: any EngineReader) throws -> MagicPlan {
    MagicPlan(try reader.plan(of: query))
  }
}
