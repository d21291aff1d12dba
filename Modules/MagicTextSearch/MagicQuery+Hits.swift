public import MagicObservation
public import MagicQuery
public import MagicSchema
public import MagicStore

extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the objects that the search of the query finds, with their scores and highlights, the
  /// best ones first unless the query has another order.
  ///
  /// - Throws: `MagicError`: `.invalidQuery` for a query without `matching(_:)`; `.unsupported` if the
  ///   kind of database has no search; or `CancellationError` if the task is cancelled.
  public func hits() async throws -> [MagicHit<Model>] {
    try await source.run(HitsRequest(self))
  }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `hits()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func hits() throws -> [MagicHit<Model>] { try source.run(HitsRequest(self)) }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the hits of the query, to be observed: `hits().values()`.
  @_disfavoredOverload
  public func hits() -> MagicHits<Model, Source> { MagicHits(query: self, fusion: nil) }
}

/// The hits of a search, which change with the database.
///
/// ```swift
/// for try await hits in magic.query(Essay.self).matching(text).hits().values() {
///   print(hits.map { $0.highlighted(\.$title).description })
/// }
/// ```
public struct MagicHits<
  Model: MagicObject, Source: AsyncMagicDatabaseReader & ObservableMagicDatabase
>: Sendable {
  let query: MagicQuery<Model, Source>
  let fusion: MagicFusion<Model>?

  /// Returns the current hits, and the hits after every commit that could have changed them: one that
  /// changes a searchable property, or another property that the query or the objects use. A new
  /// score is a change.
  public func values() -> MagicValues<[MagicHit<Model>]> {
    let (query, fusion) = (query, fusion)
    return MagicValues(of: query.source) { try HitsRequest(query, fusion) }
  }
}
