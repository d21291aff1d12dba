public import MagicQuery
public import MagicStore

/// Hybrid searches: hits by words and by the meaning of a text, as vectors express it.
extension MagicQuery where Source: AsyncMagicDatabaseReader {
  /// Returns the objects that the search of the query finds, and those whose vectors are nearest, in
  /// one ranking.
  ///
  /// ```swift
  /// let hits = try await magic.query(Passage.self)
  ///   .matching("disk full")
  ///   .limit(10)
  ///   .hits(fusedWith: .distance(\.$embedding, to: vector, .cosine))
  /// ```
  ///
  /// The rankings are combined by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009):
  /// the score of an object is the sum of 1 / (60 + rank) over the rankings that contain it. Both
  /// rankings contain only objects that satisfy the conditions of the query. Objects with an
  /// infinite distance have no rank. The limit and the offset apply to the combined ranking.
  ///
  /// - Parameters:
  ///   - distance: the second ranking.
  ///   - candidates: how many objects of each ranking are combined; more if the limit of the query is
  ///     larger. Default: 100.
  /// - Throws: `MagicError`: `.invalidQuery` for a query without `matching(_:)`, or with an order;
  ///   `.unsupported` if the kind of database has no search; or `CancellationError`.
  /// - Complexity: the database reads the vectors of all objects that satisfy the conditions.
  public func hits(
    fusedWith distance: MagicDistance<Model>, candidates: Int = 100
  ) async throws -> [MagicHit<Model>] {
    try await source.run(
      HitsRequest(self, MagicFusion(distance: distance, candidates: candidates)))
  }
}

extension MagicQuery where Source: MagicDatabaseReader {
  /// Like the asynchronous `hits(fusedWith:candidates:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func hits(
    fusedWith distance: MagicDistance<Model>, candidates: Int = 100
  ) throws -> [MagicHit<Model>] {
    try source.run(HitsRequest(self, MagicFusion(distance: distance, candidates: candidates)))
  }
}

extension MagicQuery where Source: AsyncMagicDatabaseReader & ObservableMagicDatabase {
  /// Returns the hits of the query fused with a distance, to be observed:
  /// `hits(fusedWith: .distance(\.$embedding, to: vector)).values()`.
  @_disfavoredOverload
  public func hits(
    fusedWith distance: MagicDistance<Model>, candidates: Int = 100
  ) -> MagicHits<Model, Source> {
    MagicHits(query: self, fusion: MagicFusion(distance: distance, candidates: candidates))
  }
}
