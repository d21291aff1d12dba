import MagicSchema
public import MagicStore

extension MagicQuery {
  /// The request for the objects.
  package var objects: ObjectsRequest<Model> {
    get throws { ObjectsRequest(try plan.objects(Model.self)) }
  }

  private var firstObject: ObjectsRequest<Model> {
    get throws { ObjectsRequest(try plan.first(Model.self)) }
  }

  private var number: CountRequest {
    get throws { CountRequest(query: try plan.count(Model.self)) }
  }

  private var existence: ExistsRequest {
    get throws { ExistsRequest(query: try plan.exists(Model.self)) }
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// The objects, with all they refer to.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func all() async throws -> [Model] { try await source.run(objects) }

  /// The first object; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func first() async throws -> Model? { try await source.run(firstObject).first }

  /// How many objects there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> Int { try await source.run(number) }

  /// Whether there is an object.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func exists() async throws -> Bool { try await source.run(existence) }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// As the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func all() throws -> [Model] { try source.run(objects) }

  /// As the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func first() throws -> Model? { try source.run(firstObject).first }

  /// As the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func count() throws -> Int { try source.run(number) }

  /// As the asynchronous `exists()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func exists() throws -> Bool { try source.run(existence) }
}
