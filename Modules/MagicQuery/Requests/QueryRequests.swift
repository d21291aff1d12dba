import MagicEngine
import MagicGraph
package import MagicSchema
import MagicStore

/// A request for the objects of a query.
package struct ObjectsRequest<Model: MagicObject>: ReadRequest {
  private let query: PreparedQuery
  private let loading: RelationshipLoading

  init(_ query: PreparedQuery, _ loading: RelationshipLoading) {
    self.query = query
    self.loading = loading
  }

  package func read(on reader: any EngineReader) throws -> [Model] {
    try reader.objects(of: Model.self, query, loading)
  }

  /// Returns the object of a query by primary if its row is in memory; nil otherwise.
  func cachedObject(in source: some AsyncMagicDatabaseReader) throws -> Model? {
    guard let primary = query.primaryValue else { return nil }
    let lookUp = RowLookUp(of: query.schema, reads: false, copies: true, isNoted: false)
    let result = try source._findRow(_MagicRowLookUp(lookUp)) {
      $0.reader.parameters.append(primary)
    }
    guard case .found(let chunk?) = result.row else { return nil }
    return query.schema.makeObject(Model.self, from: chunk.row(0))
  }

  package func region(on reader: any EngineReader) throws -> ReadRegion? {
    var region = try reader.region(ofObjectsOf: query, excluding: loading.excluded)
    for preload in loading.preloads { try preload.insert(into: &region, of: query.schema) }
    return region
  }

  package func rows(of result: [Model]) -> Set<Int64>? {
    // For many rows it is cheaper to repeat some reads than to compare row IDs.
    result.count > 10_000 ? nil : Set(result.compactMap { $0.zIndex?.rawValue })
  }
}

/// A request for the rows of a selection.
package struct RowsRequest<Row>: ReadRequest {
  private let query: PreparedQuery
  private let reader: RowReader<Row>

  package init(_ query: PreparedQuery, _ reader: RowReader<Row>) {
    self.query = query
    self.reader = reader
  }

  package func read(on reader: any EngineReader) throws -> [Row] {
    guard self.reader.objects.allSatisfy({ $0 == nil }) else { return try readObjects(on: reader) }
    var first: [Row] = []
    var others = DecodedRows(self.reader)
    try reader.select(query) {
      let batch = SelectedRows(fields: $0)
      // The first batch, often the only one, is decoded in the memory of the array.
      if first.isEmpty { first = try decode(batch) } else { try others.append(batch) }
    }
    return others.move(after: first)
  }

  /// Reads all rows first, so that the objects of all of them are loaded together.
  private func readObjects(on engine: any EngineReader) throws -> [Row] {
    try engine.inSnapshot {
      let fields = FieldBuffer()
      var (width, count) = (0, 0)
      try engine.select(query) { batch in
        width = batch.width
        count += batch.count
        fields.append(batch)
      }
      let rows = FieldRows(fields, width: width, count: count)
      return try decode(
        SelectedRows(fields: rows, objects: reader.objects.load(rows, on: engine)))
    }
  }

  private func decode(_ rows: SelectedRows) throws -> [Row] {
    let stride = MemoryLayout<Row>.stride
    return try [Row](unsafeUninitializedCapacity: rows.fields.count) { memory, count in
      guard let start = UnsafeMutableRawPointer(memory.baseAddress) else { return }
      while count < rows.fields.count {
        try reader.initialize(start + count * stride, rows, count, 0)
        count += 1
      }
    }
  }

  package func region(on engine: any EngineReader) throws -> ReadRegion? {
    var region = try engine.region(of: query)
    for objects in reader.objects {
      if let objects { region.formUnion(try objects.region(on: engine)) }
    }
    return region
  }
}

/// A request for the number of rows of a query.
package struct CountRequest: ReadRequest {
  private let query: PreparedQuery

  package init(query: PreparedQuery) { self.query = query }

  package func read(on reader: any EngineReader) throws -> Int {
    var count = 0
    try reader.select(query) { if $0.count > 0 { count = Int($0.field(0, 0).integer) } }
    return count
  }
}

/// A request for whether a query has any row.
package struct ExistsRequest: ReadRequest {
  private let query: PreparedQuery

  package init(query: PreparedQuery) { self.query = query }

  package func read(on reader: any EngineReader) throws -> Bool {
    var exists = false
    try reader.select(query) { if $0.count > 0 { exists = true } }
    return exists
  }
}

/// A request for an aggregate over the rows of a query.
package struct AggregateRequest<Value: Sendable>: ReadRequest {
  let query: PreparedQuery
  let decode: @Sendable (SelectedRows, _ row: Int, _ column: Int) throws -> Value
  /// The result for a type without a table.
  let empty: Value

  package func read(on reader: any EngineReader) throws -> Value {
    var value = empty
    try reader.select(query) {
      if $0.count > 0 { value = try decode(SelectedRows(fields: $0), 0, 0) }
    }
    return value
  }
}
