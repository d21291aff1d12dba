import MagicEngine
import MagicSchema
public import MagicStore

/// Pages of objects.
///
/// ```swift
/// let people = magic.query(Person.self).order(by: \.$name)
///
/// let first = try await people.page(limit: 20)
/// if let next = first.next {
///   print(try await people.page(after: next, limit: 20).objects)
/// }
/// ```
///
/// A page begins directly after the object at which the previous page ended, also if objects were
/// inserted or deleted meanwhile: no object is returned twice or left out, unless its place in the
/// order changes. An index on the first property of the order finds the beginning of a page. So a page
/// takes the same time at any place, while `offset(_:)` reads all rows before it.
extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the objects that follow a place in the order of the query.
  ///
  /// - Parameters:
  ///   - cursor: the place; nil, the default, for the first page.
  ///   - limit: the maximum number of objects.
  /// - Throws: `MagicError`: `.invalidQuery` if the cursor belongs to a query of another type or
  ///   order, if the query has a limit, an offset or a random order, or if `limit` is not positive;
  ///   `CancellationError` if the task is cancelled.
  public func page(
    after cursor: MagicCursor? = nil, limit: Int
  ) async throws -> MagicPage<Model> {
    try await source.run(PageRequest(plan, loading, cursor, limit: limit, isBackward: false))
  }

  /// Returns the objects that precede a place in the order of the query, in that order.
  ///
  /// - Parameters:
  ///   - cursor: the place; nil for the last page.
  ///   - limit: the maximum number of objects.
  /// - Throws: `MagicError` or `CancellationError`, for the same reasons as the page after a place.
  public func page(
    before cursor: MagicCursor?, limit: Int
  ) async throws -> MagicPage<Model> {
    try await source.run(PageRequest(plan, loading, cursor, limit: limit, isBackward: true))
  }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `page(after:limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func page(after cursor: MagicCursor? = nil, limit: Int) throws -> MagicPage<Model> {
    try source.run(PageRequest(plan, loading, cursor, limit: limit, isBackward: false))
  }

  /// Like the asynchronous `page(before:limit:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func page(before cursor: MagicCursor?, limit: Int) throws -> MagicPage<Model> {
    try source.run(PageRequest(plan, loading, cursor, limit: limit, isBackward: true))
  }
}
