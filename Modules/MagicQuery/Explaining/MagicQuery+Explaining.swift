import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncDatabaseReader {
  /// How SQLite would go about the query for objects, which is not run. What their relationships
  /// lead to is fetched by statements of its own.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan {
    let call = try plan.objects(Model.self)
    return try await source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicQuery where Source: DatabaseReader {
  /// How SQLite would go about the query for objects, which is not run. What their relationships
  /// lead to is fetched by statements of its own.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan {
    let call = try plan.objects(Model.self)
    return try source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicSelection where Source: AsyncDatabaseReader {
  /// How SQLite would go about the selection, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan {
    let call = try QueryCall(Model.self, plan, .tuples)
    return try await source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicSelection where Source: DatabaseReader {
  /// How SQLite would go about the selection, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan {
    let call = try QueryCall(Model.self, plan, .tuples)
    return try source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicGroups where Source: AsyncDatabaseReader {
  /// How SQLite would go about the groups and their counts, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense, or
  ///   `CancellationError`.
  public func explain() async throws -> MagicPlan {
    let call = try QueryCall(Model.self, counted, .tuples)
    return try await source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicGroups where Source: DatabaseReader {
  /// How SQLite would go about the groups and their counts, which is not run.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense.
  @available(*, noasync, message: "this call blocks the thread: tasks use MagicData")
  public func explain() throws -> MagicPlan {
    let call = try QueryCall(Model.self, counted, .tuples)
    return try source._read { try $0.connection.plan(of: call) }
  }
}

extension MagicGroups {
  private var counted: QueryPlan {
    var plan = plan
    plan.selection = plan.groups + [MagicGroup<Model>().count.code]
    return plan
  }
}
