import MagicEngine
public import MagicQuery
public import MagicStore

/// Pages of selected values, and of groups.
///
/// ```swift
/// let customers = magic.query(Sale.self)
///   .grouped(by: \.$customer)
///   .order(.descending) { $0.count }
///   .select { $0.count }
/// let page = try await customers.page(limit: 20)
/// let rest = try await customers.page(after: page.next, limit: 20)
/// ```
///
/// The cursor contains the values by which the last row is ordered. Groups that are equal in all orders
/// are ordered by their keys, and distinct rows by their values. The database computes all groups for
/// each page, but returns only those of the page.
extension MagicSelection where Source: AsyncMagicDatabaseReader, Row: Sendable {
  /// Returns the rows that follow a place in the order of the selection.
  ///
  /// - Parameters:
  ///   - cursor: the place; nil, the default, for the first page.
  ///   - limit: the maximum number of rows.
  /// - Throws: `MagicError`: `.invalidQuery` if the cursor belongs to a selection of another type, order
  ///   or grouping, if the selection has a limit, a random order or elements of JSON, or if `limit` is
  ///   not positive; `CancellationError` if the task is cancelled.
  public func page(
    after cursor: MagicCursor? = nil, limit: Int
  ) async throws -> MagicRowPage<Row> {
    try await source.run(pageRequest(cursor, limit, isBackward: false))
  }

  /// Returns the rows that precede a place in the order of the selection, in that order.
  ///
  /// - Parameters:
  ///   - cursor: the place; nil for the last page.
  ///   - limit: the maximum number of rows.
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as the page after a place.
  public func page(before cursor: MagicCursor?, limit: Int) async throws -> MagicRowPage<Row> {
    try await source.run(pageRequest(cursor, limit, isBackward: true))
  }
}

extension MagicSelection where Source: MagicDatabaseReader {
  /// Like the asynchronous `page(after:limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func page(after cursor: MagicCursor? = nil, limit: Int) throws -> MagicRowPage<Row> {
    try source.run(pageRequest(cursor, limit, isBackward: false))
  }

  /// Like the asynchronous `page(before:limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func page(before cursor: MagicCursor?, limit: Int) throws -> MagicRowPage<Row> {
    try source.run(pageRequest(cursor, limit, isBackward: true))
  }
}

extension MagicSelection {
  private func pageRequest(
    _ cursor: MagicCursor?, _ limit: Int, isBackward: Bool
  ) throws -> RowPageRequest<Row> {
    try RowPageRequest(
      .of(Model.self), plan, try reader.get(), cursor, limit: limit, isBackward: isBackward)
  }
}
