import MagicEngine
import MagicSchema

/// Fetches the rows that fetched rows refer to. Each relationship takes one fetch of rows per
/// level, and a collection takes one fetch of join rows before it. The number of owners does not
/// matter. No row is fetched twice.
struct GraphLoader {
  let reader: any EngineReader
  let graph: RowGraph?
  private var types: [LoadedType] = []

  init(_ root: ObjectSchema, _ reader: any EngineReader) throws {
    self.reader = reader
    graph = try root.reach.fetched.reachesCycle ? RowGraph() : nil
  }

  /// Fetches all rows that the given rows refer to, and connects them.
  ///
  /// - Parameter excluded: the relationships of the given rows that are not loaded.
  mutating func load(
    _ chunks: [RowChunk], of schema: ObjectSchema, excluding excluded: Set<Int> = []
  ) throws {
    let root = try loaded(schema)
    root.add(chunks)
    for relationship in excluded { root.exclude(relationship) }
    if let graph, types[0].graph != nil { for chunk in chunks { chunk.join(graph) } }
    var isDone = false
    while !isDone {
      isDone = true
      var index = 0
      // `types` grows while the loop runs.
      while index < types.count {
        if try loadRelationships(of: types[index]) { isDone = false }
        index += 1
      }
    }
  }

  /// - Returns: whether there was anything to load.
  private mutating func loadRelationships(of owner: LoadedType) throws -> Bool {
    var found = false
    for relationship in owner.loadedRowCounts.indices
    where owner.loadedRowCounts[relationship] < owner.rows.count {
      found = true
      try Task.checkCancellation()
      if relationship < owner.schema.toOnes.count {
        try loadToOne(relationship, of: owner)
      } else {
        try loadCollection(relationship - owner.schema.toOnes.count, of: owner)
      }
    }
    return found
  }

  /// Returns the rows of a type that are already loaded, or nil for a type without a table.
  mutating func type(_ schema: ObjectSchema) throws -> LoadedType? {
    if let known = types.first(where: { $0.schema === schema }) { return known }
    return try reader.hasTable(of: schema) ? loaded(schema) : nil
  }

  private mutating func loaded(_ schema: ObjectSchema) throws -> LoadedType {
    let type = LoadedType(schema, graph: try schema.reach.fetched.isCyclic ? graph : nil)
    types.append(type)
    return type
  }

  /// Fetches rows of a type that are not loaded yet.
  func fetch(_ unknown: RowIDSet, of type: LoadedType) throws {
    guard !unknown.rowIDs.isEmpty else { return }
    try fetch(.rows(unknown), of: type)
  }

  /// Fetches the rows of a plan that the closure selects.
  func fetch(
    _ plan: FetchPlan, of type: LoadedType, isWanted: ((Int64) -> Bool)? = nil
  ) throws {
    type.add(
      try reader.fetch(plan, of: type.schema, graph: type.graph, isWanted: isWanted).chunks)
  }
}
