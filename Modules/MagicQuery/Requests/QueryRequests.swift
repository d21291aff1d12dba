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

  init(_ query: PreparedQuery, _ reader: RowReader<Row>) {
    self.query = query
    self.reader = reader
  }

  package func read(on reader: any EngineReader) throws -> [Row] {
    var rows: [Row] = []
    try reader.select(query) { batch in
      for index in 0..<batch.count { rows.append(try self.reader.read(batch, index, 0)) }
    }
    return rows
  }

  package func region(on reader: any EngineReader) throws -> ReadRegion? {
    try reader.region(of: query)
  }
}

/// A request for the number of rows of a query.
struct CountRequest: ReadRequest {
  let query: PreparedQuery

  func read(on reader: any EngineReader) throws -> Int {
    var count = 0
    try reader.select(query) { if $0.count > 0 { count = Int($0.field(0, 0).integer) } }
    return count
  }
}

/// A request for whether a query has any row.
struct ExistsRequest: ReadRequest {
  let query: PreparedQuery

  func read(on reader: any EngineReader) throws -> Bool {
    var exists = false
    try reader.select(query) { if $0.count > 0 { exists = true } }
    return exists
  }
}

/// A request for an aggregate over the rows of a query.
struct AggregateRequest<Value: Sendable>: ReadRequest {
  let query: PreparedQuery
  let decoder: ValueDecoder<Value>
  /// The result for a type without a table.
  let empty: Value

  func read(on reader: any EngineReader) throws -> Value {
    var value = empty
    try reader.select(query) { if $0.count > 0 { value = try decoder.value($0.field(0, 0)) } }
    return value
  }
}
