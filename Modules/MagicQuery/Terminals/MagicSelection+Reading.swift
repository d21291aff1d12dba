import MagicEngine
public import MagicStore

extension MagicSelection {
  /// The request for the rows.
  package var rows: RowsRequest<Row> {
    get throws { RowsRequest(try PreparedQuery(Model.self, plan, .tuples), try reader.get()) }
  }

  private var firstRow: RowsRequest<Row> {
    get throws { RowsRequest(try plan.firstTuple(Model.self), try reader.get()) }
  }

  private var number: CountRequest {
    get throws { CountRequest(query: try PreparedQuery(Model.self, plan, .tupleCount)) }
  }
}

extension MagicSelection where Source: AsyncMagicDatabaseReader, Row: Sendable {
  /// The rows.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func all() async throws -> [Row] { try await source.run(rows) }

  /// The first row; nil where there is none.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func first() async throws -> Row? { try await source.run(firstRow).first }

  /// How many rows there are, limit and offset counted in.
  ///
  /// - Throws: `MagicError`, and `CancellationError` in a cancelled task.
  public func count() async throws -> Int { try await source.run(number) }
}

extension MagicSelection where Source: MagicDatabaseReader {
  /// As the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func all() throws -> [Row] { try source.run(rows) }

  /// As the asynchronous `first()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func first() throws -> Row? { try source.run(firstRow).first }

  /// As the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func count() throws -> Int { try source.run(number) }
}
