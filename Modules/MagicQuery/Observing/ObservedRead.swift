import MagicSQLite
import MagicStore

/// A read that can be repeated: how its result is made, and what it looks at.
package struct ObservedRead<Value: Sendable>: Sendable {
  package let region: @Sendable (StoreConnection) throws -> ReadRegion
  package let read: @Sendable (StoreConnection) throws -> Value
  /// The z-indexes of the result, where its rows are those of the region's root; nil where they are
  /// too many, or of something else.
  package let rows: @Sendable (Value) -> Set<Int64>?

  init(
    region: @escaping @Sendable (StoreConnection) throws -> ReadRegion,
    read: @escaping @Sendable (StoreConnection) throws -> Value,
    rows: @escaping @Sendable (Value) -> Set<Int64>? = { _ in nil }
  ) {
    self.region = region
    self.read = read
    self.rows = rows
  }
}

extension StoreConnection {
  /// What a query looks at; a table that is not there yet as a whole.
  func region(of call: QueryCall) throws -> ReadRegion {
    try connection.snapshot {
      // Only what is there can be compiled.
      try fill(call.values.map { if case .list = $0 { .list([]) } else { $0 } })
      var region = ReadRegion()
      let (sql, _) = try QueryRenderer.render(call) { schema in
        let table = try self.queryTable(of: schema)
        if table.name == nil || table.links.contains(where: { $0.name == nil }) {
          region.insert(schema, isLoaded: false)
        }
        return table
      }
      region.formUnion(try self.region(of: sql))
      return region
    }
  }
}
