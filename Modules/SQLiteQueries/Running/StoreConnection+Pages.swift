package import MagicEngine
import MagicSQLite
package import MagicSchema
package import SQLiteEngine

extension StoreConnection {
  /// A page's objects, and the values that its last row is ordered by, where it is full.
  package func page<Model: MagicObject>(
    of type: Model.Type, _ query: PreparedQuery
  ) throws -> (objects: [Model], last: [QueryValue]) {
    guard try hasTable(of: query.schema) else { return ([], []) }
    let isOneStatement = try !query.schema.reach.fetched.hasRelationships
    return try run(query, isOneStatement: isOneStatement) { statement in
      var last: [QueryValue] = []
      var left = query.plan.limit ?? 0
      let start = 1 + query.schema.columns.count
      let columns = start..<start + query.plan.selection.count
      let objects = try objects(of: type, query.schema, statement) { row in
        left -= 1
        if left == 0 { last = columns.map { QueryValue(row.column($0)) } }
      }
      return (objects, last)
    }
  }
}
