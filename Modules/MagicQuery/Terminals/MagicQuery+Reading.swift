import MagicSchema
public import MagicStore

extension MagicQuery {
  /// The request for all objects.
  package var objects: ObjectsRequest<Model> {
    get throws { ObjectsRequest(try plan.objects(Model.self), loading) }
  }

  private var firstRequest: ObjectsRequest<Model> {
    get throws { ObjectsRequest(try plan.first(Model.self), loading) }
  }

  private var countRequest: CountRequest {
    get throws { CountRequest(query: try plan.count(Model.self)) }
  }

  private var existsRequest: ExistsRequest {
    get throws { ExistsRequest(query: try plan.exists(Model.self)) }
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns all objects, with all objects that they refer to.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func all() async throws -> [Model] { try await source.run(objects) }

  /// Returns the first object, with all objects that it refers to; nil if there is none.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  /// - Complexity: O(1) if the only condition is that the primary equals a value, and the row is in memory,
  ///   see `MagicOptions.rowCacheSize`. The call then stays on the thread of the caller.
  public nonisolated(nonsending) func first() async throws -> Model? {
    let request = try firstRequest
    if let cached = try request.cachedObject(in: source) { return cached }
    return try await source.run(request).first
  }

  /// Returns the number of objects, after limit and offset are applied.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> Int { try await source.run(countRequest) }

  /// Returns whether the query finds any object.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func exists() async throws -> Bool { try await source.run(existsRequest) }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func all() throws -> [Model] { try source.run(objects) }

  /// Like the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func first() throws -> Model? { try source.run(firstRequest).first }

  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> Int { try source.run(countRequest) }

  /// Like the asynchronous `exists()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func exists() throws -> Bool { try source.run(existsRequest) }
}
