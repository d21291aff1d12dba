import MagicEngine
import MagicExpressions
import MagicQuery
import MagicSchema
import MagicStore

/// A request for the objects that a search finds, with their scores.
///
/// One statement finds the row IDs and the scores in their order, and another one the objects of these
/// rows, so that only their columns are read.
struct HitsRequest<Model: MagicObject, Source>: ReadRequest {
  private let ranking: Ranking
  /// The same rows and scores from the index alone, without the rows of the type's table, which are
  /// then read for the hits only; nil if the query needs more than the index.
  private let indexed: RowsRequest<(ZIndex, Double)>?
  private let all: ObjectsRequest<Model>
  private let objects: @Sendable ([ZIndex]) throws -> ObjectsRequest<Model>
  private let schema: ObjectSchema
  private let phrases: [TextSearch.Phrase]

  private enum Ranking {
    case scores(RowsRequest<(ZIndex, Double)>)
    case fused(FusedRanking<Model, Source>)
  }

  init(_ query: MagicQuery<Model, Source>) throws {
    try self.init(
      query, .scores(Self.scores(query)), query.ranksByIndex ? Self.scores(query.ofIndex) : nil)
  }

  private static func scores(
    _ query: MagicQuery<Model, Source>
  ) throws -> RowsRequest<(ZIndex, Double)> {
    try query.select { ($0.zIndex, $0.score) }.rows
  }

  init(_ query: MagicQuery<Model, Source>, _ fusion: MagicFusion<Model>?) throws {
    guard let fusion else {
      try self.init(query)
      return
    }
    try self.init(
      query,
      .fused(FusedRanking(query, fusion.distance, candidates: fusion.candidates)))
  }

  private init(
    _ query: MagicQuery<Model, Source>, _ ranking: Ranking,
    _ indexed: RowsRequest<(ZIndex, Double)>? = nil
  ) throws {
    self.ranking = ranking
    self.indexed = indexed
    schema = try ObjectSchema.of(Model.self)
    phrases = query.plan.search?.phrases ?? []
    all = try query.objects
    let unbound = query.unbound
    objects = { try unbound.restricted(to: $0).objects }
  }

  func read(on reader: any EngineReader) throws -> [MagicHit<Model>] {
    let highlighter = Highlighter(phrases, try reader.textSplitter(of: schema))
    return try reader.inSnapshot {
      if let found = try indexed?.read(on: reader) {
        let hits = try hits(found, highlighter, on: reader)
        // The index can have rows that do not exist, in the place of other rows.
        if hits.count == found.count { return hits }
      }
      let found =
        switch ranking {
        case .scores(let scores): try scores.read(on: reader)
        case .fused(let ranking): try ranking.read(on: reader)
        }
      return try hits(found, highlighter, on: reader)
    }
  }

  /// Returns the objects of the rows that exist.
  private func hits(
    _ found: [(ZIndex, Double)], _ highlighter: Highlighter, on reader: any EngineReader
  ) throws -> [MagicHit<Model>] {
    guard !found.isEmpty else { return [] }
    var objects: [ZIndex: Model] = [:]
    for object in try self.objects(found.map(\.0)).read(on: reader) {
      if let row = object.zIndex { objects[row] = object }
    }
    return found.compactMap { row, score in
      objects[row].map { MagicHit(object: $0, score: score, highlighter: highlighter) }
    }
  }

  func region(on reader: any EngineReader) throws -> ReadRegion? {
    guard var region = try all.region(on: reader) else { return nil }
    guard case .fused(let ranking) = ranking else { return region }
    guard let other = try ranking.region(on: reader) else { return nil }
    region.formUnion(other)
    // Also rows that the search does not find are hits.
    region.root = nil
    return region
  }
}

extension MagicQuery {
  /// Whether the index alone determines the rows and their order. With an offset, rows that do not exist
  /// would move the others.
  fileprivate var ranksByIndex: Bool {
    plan.search != nil && plan.filter == nil && plan.traversal == nil && plan.join == nil
      && plan.orders.isEmpty && !plan.isRandom && !plan.isDistinct && plan.offset == nil
      && plan.groups.isEmpty && plan.topGroups == nil && plan.combined == nil
  }

  /// The query for rows of the index.
  fileprivate var ofIndex: Self { with { $0.search?.readsOnlyIndex = true } }
}

/// A distance with which a search is fused.
struct MagicFusion<Model: MagicObject>: Sendable {
  let distance: MagicDistance<Model>
  let candidates: Int
}
