import MagicSchema
import MagicStore
import SQLiteChanges
import SQLiteTables

/// The objects of a query.
package struct ObjectsRequest<Model: MagicObject>: ReadRequest {
  private let call: PreparedQuery

  init(_ call: PreparedQuery) { self.call = call }

  package func read(on connection: StoreConnection) throws -> [Model] {
    try connection.objects(of: Model.self, call)
  }

  package func region(on connection: StoreConnection) throws -> ReadRegion? {
    var region = try connection.region(of: call)
    for column in call.schema.collections where !column.isLazy {
      region.insert(table: LinkTable(owner: call.schema, column: column).name)
    }
    let loaded = try call.schema.loadedTypes
    for schema in loaded { region.insert(schema, isLoaded: true) }
    if !loaded.contains(where: { $0 === call.schema }) {
      let rows = try PreparedQuery(Model.self, call.plan, .rows)
      region.setRoot(call.schema.tableName, decidedBy: try connection.region(of: rows))
    }
    return region
  }

  package func rows(of result: [Model]) -> Set<Int64>? {
    // Of many it is cheaper to read them again now and then.
    result.count > 10_000 ? nil : Set(result.compactMap { $0.zIndex?.rawValue })
  }
}

/// The rows of a selection.
package struct RowsRequest<Row>: ReadRequest {
  private let call: PreparedQuery
  private let reader: RowReader<Row>

  init(_ call: PreparedQuery, _ reader: RowReader<Row>) {
    self.call = call
    self.reader = reader
  }

  package func read(on connection: StoreConnection) throws -> [Row] {
    try connection.rows(call, reader)
  }

  package func region(on connection: StoreConnection) throws -> ReadRegion? {
    try connection.region(of: call)
  }
}

/// How many rows a query has.
struct CountRequest: ReadRequest {
  let call: PreparedQuery

  func read(on connection: StoreConnection) throws -> Int { try connection.integer(call) }
}

/// Whether a query has a row.
struct ExistsRequest: ReadRequest {
  let call: PreparedQuery

  func read(on connection: StoreConnection) throws -> Bool { try connection.hasRow(call) }
}

/// An aggregate of a query's rows.
struct AggregateRequest<Value: Sendable>: ReadRequest {
  let call: PreparedQuery
  let decoder: ValueDecoder<Value>
  /// What it is for a type without a table.
  let empty: Value

  func read(on connection: StoreConnection) throws -> Value {
    try connection.value(call, decoder) ?? empty
  }
}
