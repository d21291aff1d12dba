package import MagicEngine
package import MagicSchema

extension EngineReader {
  /// Fetches and packs rows of a type.
  func fetch(_ plan: FetchPlan, of schema: ObjectSchema) throws -> FetchedRows {
    try fetch(plan, of: schema, graph: nil, isWanted: nil)
  }

  /// Creates the objects of fetched rows, with all objects that they refer to.
  func makeObjects<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of chunks: [RowChunk]
  ) throws -> [Model] {
    try loadingRelationships(of: chunks, schema) { schema.makeObjects(type, from: chunks) }
  }

  /// Creates the objects in an order that the caller specifies. A row may occur several times in
  /// it.
  package func makeObjects<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of chunks: [RowChunk], in order: [PackedRow]
  ) throws -> [Model] {
    try loadingRelationships(of: chunks, schema) { schema.makeObjects(type, at: order[...]) }
  }

  /// Fetches everything that the rows refer to, and then calls the body to create the objects.
  ///
  /// - Parameter excluded: as in ``RelationshipLoading``.
  func loadingRelationships<Result>(
    of chunks: [RowChunk], _ schema: ObjectSchema, excluding excluded: Set<Int> = [],
    _ body: () -> Result
  ) throws -> Result {
    let reach = try schema.reach.fetched
    guard reach.hasRelationships, !chunks.isEmpty else {
      return withExtendedLifetime(chunks, body)
    }
    if excluded.isEmpty, let collection = reach.onlyCollection, chunks.count == 1,
      chunks[0].rowCount == 1
    {
      let target = try schema.collections[collection].target
      if try hasTable(of: target) {
        try Task.checkCancellation()
        _ = try loadMembers(of: chunks[0].row(0), collection, target, nil)
        return withExtendedLifetime(chunks, body)
      }
    }
    var loader = try GraphLoader(schema, self)
    try loader.load(chunks, of: schema, excluding: excluded)
    // The loader retains the rows until the objects do.
    return withExtendedLifetime((loader, chunks), body)
  }

  /// Runs reads on one snapshot if the type has relationships. A single read has its own snapshot.
  private func inSnapshotIfNeeded<Result>(
    _ schema: ObjectSchema, _ body: () throws -> Result
  ) throws -> Result {
    try schema.reach.fetched.hasRelationships ? inSnapshot(body) : body()
  }

  private func inSnapshotIfNeeded<Result>(
    _ schema: ObjectSchema, _ loading: RelationshipLoading, _ body: () throws -> Result
  ) throws -> Result {
    try loading.preloads.isEmpty ? inSnapshotIfNeeded(schema, body) : inSnapshot(body)
  }

  /// Creates the objects of a query, with the relationships that it loads.
  private func makeObjects<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of chunks: [RowChunk],
    _ loading: RelationshipLoading
  ) throws -> [Model] {
    let objects = try loadingRelationships(of: chunks, schema, excluding: loading.excluded) {
      schema.makeObjects(type, from: chunks)
    }
    if !chunks.isEmpty {
      for preload in loading.preloads { try preload.load(for: chunks, on: self) }
    }
    return objects
  }

  /// Fetches all objects of a type, in row ID order.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    try inSnapshotIfNeeded(schema) {
      try makeObjects(type, schema, of: fetch(.all, of: schema).chunks)
    }
  }

  /// Fetches the object with a row ID, or nil.
  package func object<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, row: Int64
  ) throws -> Model? {
    try inSnapshotIfNeeded(schema) {
      let rows = try fetch(.rows(RowIDSet([row])), of: schema)
      return try makeObjects(type, schema, of: rows.chunks).first
    }
  }

  /// Fetches the objects that a query finds, with the relationships that it loads.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery, _ loading: RelationshipLoading
  ) throws -> [Model] {
    try inSnapshotIfNeeded(query.schema, loading) {
      let rows = try fetch(.query(query), of: query.schema)
      return try makeObjects(type, query.schema, of: rows.chunks, loading)
    }
  }

  /// Fetches the objects of a page, and the values by which the last row of a full page is sorted.
  package func page<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery, _ loading: RelationshipLoading
  ) throws -> (objects: [Model], last: [QueryValue]) {
    try inSnapshotIfNeeded(query.schema, loading) {
      let rows = try fetch(.query(query), of: query.schema)
      return (try makeObjects(type, query.schema, of: rows.chunks, loading), rows.last)
    }
  }

  /// Fetches the owners whose relationship refers to a row, in row ID order, after a row ID.
  package func owners(
    _ schema: ObjectSchema, of target: ZIndex, along property: PropertySchema,
    after last: Int64?, limit: Int
  ) throws -> FetchedOwners {
    if last == nil { noteLookUp(of: schema, along: property) }
    return try inSnapshotIfNeeded(schema) {
      let rows = try fetch(
        .owners(of: target.rawValue, along: property, after: last, limit: limit), of: schema)
      return try loadingRelationships(of: rows.chunks, schema) {
        FetchedOwners(rows.chunks, isPart: rows.count == limit)
      }
    }
  }

  /// Returns the number of owners whose relationship refers to a row.
  package func countOwners(
    of target: ZIndex, along property: PropertySchema, _ schema: ObjectSchema
  ) throws -> Int {
    noteLookUp(of: schema, along: property)
    return try countOwners(of: target.rawValue, along: property, of: schema)
  }

  /// Fetches the first object in row ID order that the body accepts, or nil. All pages are read
  /// from one snapshot.
  ///
  /// No statement is running while the body runs: the body may read with this reader.
  package func first<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    try inSnapshot {
      var last: Int64?
      var limit = 64
      while true {
        try Task.checkCancellation()
        let rows = try fetch(.after(last, limit: limit), of: schema)
        last = rows.chunks.last.map { $0.row($0.rowCount - 1).zIndex }
        let objects = try makeObjects(type, schema, of: rows.chunks)
        let found = try pausing { try objects.first(where: accepts) }
        if found != nil || rows.count < limit { return found }
        try requireSnapshot()
        // Each page also fetches the objects that its objects refer to, often the same ones.
        if try schema.reach.fetched.hasRelationships { limit *= 4 }
      }
    }
  }
}
