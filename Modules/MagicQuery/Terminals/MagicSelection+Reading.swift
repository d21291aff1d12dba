import MagicEngine
public import MagicStore

extension MagicSelection {
  /// The request for all rows.
  package var rows: RowsRequest<Row> {
    get throws { RowsRequest(try PreparedQuery(Model.self, plan, .tuples), try reader.get()) }
  }

  private var firstRequest: RowsRequest<Row> {
    get throws { RowsRequest(try plan.firstTuple(Model.self), try reader.get()) }
  }

  private var countRequest: CountRequest {
    get throws { CountRequest(query: try PreparedQuery(Model.self, plan, .tupleCount)) }
  }
}

extension MagicSelection where Source: AsyncMagicDatabaseReader, Row: Sendable {
  /// Returns all rows.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func all() async throws -> [Row] { try await source.run(rows) }

  /// Returns the first row; nil if there is none.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func first() async throws -> Row? { try await source.run(firstRequest).first }

  /// Returns the number of rows, after limit and offset are applied.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> Int { try await source.run(countRequest) }
}

extension MagicSelection where Source: MagicDatabaseReader {
  /// Like the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func all() throws -> [Row] { try source.run(rows) }

  /// Like the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func first() throws -> Row? { try source.run(firstRequest).first }

  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> Int { try source.run(countRequest) }
}
