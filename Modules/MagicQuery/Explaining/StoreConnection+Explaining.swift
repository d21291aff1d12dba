import MagicEngine
import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// The plan that SQLite chooses for a query's statement. It does not depend on the values.
  func plan(of query: PreparedQuery) throws -> MagicPlan {
    try connection.snapshot {
      let lists = query.values.map { if case .list = $0 { QueryValue.list([]) } else { $0 } }
      try fill(lists)
      var types: [ObjectSchema] = []
      let (sql, _) = try QueryRenderer.render(query) {
        types.append($0)
        return try self.queryTable(of: $0)
      }
      return try plan(of: sql, types: types)
    }
  }
}

/// The plan that SQLite chooses for a query.
struct PlanRequest: ReadRequest {
  let query: PreparedQuery

  func read(on connection: StoreConnection) throws -> MagicPlan { try connection.plan(of: query) }
}
