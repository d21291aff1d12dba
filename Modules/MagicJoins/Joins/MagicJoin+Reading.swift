import MagicEngine
import MagicQuery
public import MagicSchema
public import MagicStore

extension MagicJoin {
  private var countRequest: CountRequest {
    get throws { CountRequest(query: try plan.count(Model.self)) }
  }

  private var existsRequest: ExistsRequest {
    get throws { ExistsRequest(query: try plan.exists(Model.self)) }
  }

  private func pairs<Joined: MagicObject>() -> MagicSelection<Model, (Model, Joined), Source>
  where Other == MagicJoinedRow<Model, Joined> {
    select { ($0.object, $1.object) }
  }
}

extension MagicJoin where Source: AsyncMagicDatabaseReader {
  /// Returns the combined objects, with all objects that they refer to. The number of statements does
  /// not depend on the number of rows.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func all<Joined: MagicObject>() async throws -> [(Model, Joined)]
  where Other == MagicJoinedRow<Model, Joined> {
    try await pairs().all()
  }

  /// Returns the first combination; nil if there is none.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func first<Joined: MagicObject>() async throws -> (Model, Joined)?
  where Other == MagicJoinedRow<Model, Joined> {
    try await pairs().first()
  }

  /// Returns the number of combinations, after limit and offset are applied.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> Int { try await source.run(countRequest) }

  /// Returns whether there is a combination.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func exists() async throws -> Bool { try await source.run(existsRequest) }
}

extension MagicJoin where Source: MagicDatabaseReader {
  /// Like the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func all<Joined: MagicObject>() throws -> [(Model, Joined)]
  where Other == MagicJoinedRow<Model, Joined> {
    try pairs().all()
  }

  /// Like the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func first<Joined: MagicObject>() throws -> (Model, Joined)?
  where Other == MagicJoinedRow<Model, Joined> {
    try pairs().first()
  }

  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> Int { try source.run(countRequest) }

  /// Like the asynchronous `exists()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func exists() throws -> Bool { try source.run(existsRequest) }
}
