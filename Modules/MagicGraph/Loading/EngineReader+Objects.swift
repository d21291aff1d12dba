package import MagicEngine
package import MagicSchema

extension EngineReader {
  /// Packs rows of a type.
  func fetch(_ plan: FetchPlan, of schema: ObjectSchema) throws -> FetchedRows {
    try fetch(plan, of: schema, graph: nil, isWanted: nil)
  }

  /// Makes the objects of fetched rows, with all they refer to.
  func made<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of chunks: [RowChunk]
  ) throws -> [Model] {
    try loadingRelationships(of: chunks, schema) { schema.makeObjects(type, from: chunks) }
  }

  /// The same in an order of the caller's, in which a row may come more than once.
  package func made<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of chunks: [RowChunk], in order: [PackedRow]
  ) throws -> [Model] {
    try loadingRelationships(of: chunks, schema) { schema.makeObjects(type, at: order[...]) }
  }

  /// Fetches all that rows refer to before the body makes objects of them.
  func loadingRelationships<Result>(
    of chunks: [RowChunk], _ schema: ObjectSchema, _ body: () -> Result
  ) throws -> Result {
    let reach = try schema.reach.fetched
    guard reach.hasRelationships, !chunks.isEmpty else {
      return withExtendedLifetime(chunks, body)
    }
    if let collection = reach.onlyCollection, chunks.count == 1, chunks[0].rowCount == 1 {
      let target = try schema.collections[collection].target
      if try hasTable(of: target) {
        try Task.checkCancellation()
        _ = try loadMembers(of: chunks[0].row(0), collection, target, nil)
        return withExtendedLifetime(chunks, body)
      }
    }
    var loader = try GraphLoader(schema, self)
    try loader.load(chunks, of: schema)
    // The loader keeps the rows until the objects do.
    return withExtendedLifetime((loader, chunks), body)
  }

  /// Runs reads that belong together on one snapshot; a single one has its own.
  private func consistently<Result>(
    _ schema: ObjectSchema, _ body: () throws -> Result
  ) throws -> Result {
    try schema.reach.fetched.hasRelationships ? inSnapshot(body) : body()
  }

  /// All objects of a type, in the order of their row IDs.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    try consistently(schema) { try made(type, schema, of: fetch(.all, of: schema).chunks) }
  }

  /// The objects that a query finds.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery
  ) throws -> [Model] {
    try consistently(query.schema) {
      try made(type, query.schema, of: fetch(.query(query), of: query.schema).chunks)
    }
  }

  /// The objects of a page, and the values that its last row is ordered by, where it is full.
  package func page<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery
  ) throws -> (objects: [Model], last: [QueryValue]) {
    try consistently(query.schema) {
      let rows = try fetch(.query(query), of: query.schema)
      return (try made(type, query.schema, of: rows.chunks), rows.last)
    }
  }

  /// The owners whose relationship refers to a row, in the order of their row IDs, behind one of them.
  ///
  /// - Returns: the owners, and whether there may be more.
  package func owners<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of target: ZIndex, along property: PropertySchema,
    behind last: Int64?, limit: Int
  ) throws -> (owners: [Model], isPart: Bool) {
    if last == nil { noteLookUp(of: schema, along: property) }
    return try consistently(schema) {
      let rows = try fetch(
        .owners(of: target.rawValue, along: property, behind: last, limit: limit), of: schema)
      return (try made(type, schema, of: rows.chunks), rows.count == limit)
    }
  }

  /// How many owners' relationship refers to a row.
  package func countOwners(
    of target: ZIndex, along property: PropertySchema, _ schema: ObjectSchema
  ) throws -> Int {
    noteLookUp(of: schema, along: property)
    return try countOwners(of: target.rawValue, along: property, of: schema)
  }

  /// The first object in the order of row IDs that the body accepts; nil where there is none. All pages
  /// are of one snapshot.
  ///
  /// Nothing is being read while the body runs: it may read with this reader itself.
  package func first<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    try inSnapshot {
      var last: Int64?
      var limit = 64
      while true {
        try Task.checkCancellation()
        let rows = try fetch(.behind(last, limit: limit), of: schema)
        last = rows.chunks.last.map { $0.row($0.rowCount - 1).zIndex }
        let objects = try made(type, schema, of: rows.chunks)
        let found = try pausing { try objects.first(where: accepts) }
        if found != nil || rows.count < limit { return found }
        try requireSnapshot()
        // What the objects refer to comes with every page, the same maybe.
        if try schema.reach.fetched.hasRelationships { limit *= 4 }
      }
    }
  }
}
