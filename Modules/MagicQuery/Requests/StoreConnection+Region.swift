import MagicSQLite
import MagicStore
import SQLiteChanges

extension StoreConnection {
  /// What a query looks at; a table that is not there yet as a whole.
  func region(of call: PreparedQuery) throws -> ReadRegion {
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
