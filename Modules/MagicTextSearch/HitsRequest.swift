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
  private let all: ObjectsRequest<Model>
  private let objects: @Sendable ([ZIndex]) throws -> ObjectsRequest<Model>
  private let schema: ObjectSchema
  private let phrases: [TextSearch.Phrase]

  private enum Ranking {
    case scores(RowsRequest<(ZIndex, Double)>)
    case fused(FusedRanking<Model, Source>)
  }

  init(_ query: MagicQuery<Model, Source>) throws {
    try self.init(query, .scores(query.select { ($0.zIndex, $0.score) }.rows))
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

  private init(_ query: MagicQuery<Model, Source>, _ ranking: Ranking) throws {
    self.ranking = ranking
    schema = try ObjectSchema.of(Model.self)
    phrases = query.plan.search?.phrases ?? []
    all = try query.objects
    let unbound = query.unbound
    objects = { try unbound.restricted(to: $0).objects }
  }

  func read(on reader: any EngineReader) throws -> [MagicHit<Model>] {
    let highlighter = Highlighter(phrases, try reader.textSplitter(of: schema))
    return try reader.inSnapshot {
      let found =
        switch ranking {
        case .scores(let scores): try scores.read(on: reader)
        case .fused(let ranking): try ranking.read(on: reader)
        }
      guard !found.isEmpty else { return [] }
      var objects: [ZIndex: Model] = [:]
      for object in try self.objects(found.map(\.0)).read(on: reader) {
        if let row = object.zIndex { objects[row] = object }
      }
      return found.compactMap { row, score in
        objects[row].map { MagicHit(object: $0, score: score, highlighter: highlighter) }
      }
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

/// A distance with which a search is fused.
struct MagicFusion<Model: MagicObject>: Sendable {
  let distance: MagicDistance<Model>
  let candidates: Int
}
