import MagicEngine
import MagicExpressions
import MagicQuery
import MagicSchema
import MagicStore

/// The ranking of rows by a search of texts and by the distance of vectors.
struct FusedRanking<Model: MagicObject, Source>: Sendable {
  private let matches: RowsRequest<ZIndex>
  private let nearest: RowsRequest<ZIndex>
  /// The distances of rows, in any order.
  private let distances: @Sendable ([ZIndex]) throws -> RowsRequest<(ZIndex, Double)>
  private let rows: Range<Int>

  /// - Parameter candidates: how many rows of each ranking are combined, unless the query has a
  ///   larger limit.
  init(
    _ query: MagicQuery<Model, Source>, _ distance: MagicDistance<Model>, candidates: Int
  ) throws {
    guard query.plan.orders.isEmpty, !query.plan.isRandom else {
      throw MagicError(
        .invalidQuery,
        "The query has an order, but fused hits are ordered by their ranks. Remove it.")
    }
    guard query.plan.search != nil else {
      throw MagicError(
        .invalidQuery, "Only a search with matching(_:) can be fused with a distance.")
    }
    if let error = query.plan.error { throw error }
    guard candidates > 0 else {
      throw MagicError(.invalidQuery, "The number of candidates is not positive. Use 1 or more.")
    }
    let first = max(query.plan.offset ?? 0, 0)
    let (end, exceeds) = first.addingReportingOverflow(query.plan.limit ?? .max)
    rows = first..<(exceeds ? .max : end)
    let count = query.plan.limit == nil ? candidates : max(candidates, rows.upperBound)
    let all = query.with { plan in
      plan.offset = nil
      plan.limit(to: count)
    }
    matches = try all.select { $0.zIndex }.rows
    nearest = try all.with { $0.search = nil }.order(nearest: distance).select { $0.zIndex }.rows
    let unbound = query.unbound
    distances = { rows in
      try unbound.restricted(to: rows)
        .select { ($0.zIndex, MagicExpression<Model, Double>(distance.expression)) }.rows
    }
  }

  /// Returns the rows of the page that the limit and the offset of the query select.
  func read(on reader: any EngineReader) throws -> [(ZIndex, Double)] {
    let near = try nearest.read(on: reader)
    var finite: Set<ZIndex> = []
    if !near.isEmpty {
      for (row, distance) in try distances(near).read(on: reader) where distance < .infinity {
        finite.insert(row)
      }
    }
    let fused = ReciprocalRanks.fuse([
      try matches.read(on: reader), near.filter { finite.contains($0) },
    ])
    return Array(fused[rows.clamped(to: 0..<fused.count)])
  }

  func region(on reader: any EngineReader) throws -> ReadRegion? {
    guard var region = try matches.region(on: reader) else { return nil }
    guard let other = try nearest.region(on: reader) else { return nil }
    region.formUnion(other)
    return region
  }
}

extension MagicQuery {
  /// The query for some rows, without the conditions of this query.
  func restricted(to rows: [ZIndex]) -> Self {
    with { plan in
      let scopes = (plan.rowScopes, plan.usesRoot)
      plan = QueryDescription()
      (plan.rowScopes, plan.usesRoot) = scopes
      do {
        let rowID = QueryExpression(
          tree: .column(.rowID(of: try ObjectSchema.of(Model.self), in: .innermost)))
        plan.filter = .inList(rowID, rows.map { .integer($0.rawValue) })
      } catch {
        plan.error = QueryExpression(error).error
      }
    }
  }
}
