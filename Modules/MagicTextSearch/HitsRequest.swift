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
  private let scores: RowsRequest<(ZIndex, Double)>
  private let all: ObjectsRequest<Model>
  private let objects: @Sendable ([ZIndex]) throws -> ObjectsRequest<Model>
  private let schema: ObjectSchema
  private let phrases: [TextSearch.Phrase]

  init(_ query: MagicQuery<Model, Source>) throws {
    schema = try ObjectSchema.of(Model.self)
    phrases = query.plan.search?.phrases ?? []
    scores = try query.select { ($0.zIndex, $0.score) }.rows
    all = try query.objects
    let unbound = query.unbound
    objects = { [schema] rows in
      try unbound.with { plan in
        let scopes = (plan.rowScopes, plan.usesRoot)
        plan = QueryDescription()
        (plan.rowScopes, plan.usesRoot) = scopes
        let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .innermost)))
        plan.filter = .inList(rowID, rows.map { .integer($0.rawValue) })
      }.objects
    }
  }

  func read(on reader: any EngineReader) throws -> [MagicHit<Model>] {
    let highlighter = Highlighter(phrases, try reader.textSplitter(of: schema))
    return try reader.inSnapshot {
      let found = try scores.read(on: reader)
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

  func region(on reader: any EngineReader) throws -> ReadRegion? { try all.region(on: reader) }
}
