package import MagicEngine
import MagicSQLite
package import MagicSchema
package import SQLiteEngine

/// The SQL of a query in one file, to be compiled and not run.
package struct RenderedQuery {
  package let sql: String
  /// The types that it names.
  package let types: [ObjectSchema]
  /// Those of them that lack a table in the file, or one of a collection.
  package let incompleteTypes: [ObjectSchema]
}

extension StoreConnection {
  /// The SQL of a query, with its lists, which are empty: only what is there can be compiled.
  package func rendered(_ query: PreparedQuery) throws -> RenderedQuery {
    try makeListTables(query.values)
    var types: [ObjectSchema] = []
    var incomplete: [ObjectSchema] = []
    let (sql, _, _) = try QueryRenderer.render(query, QueryVariant(of: query)) { schema in
      let table = try self.queryTable(of: schema)
      types.append(schema)
      if table.name == nil || table.links.contains(where: { $0.name == nil }) {
        incomplete.append(schema)
      }
      return table
    }
    return RenderedQuery(sql: sql, types: types, incompleteTypes: incomplete)
  }

  /// The plan that SQLite chooses for a query's statement. It does not depend on the values.
  package func plan(of query: PreparedQuery) throws -> StatementPlan {
    try connection.snapshot {
      let rendered = try rendered(query)
      return try plan(of: rendered.sql, types: rendered.types)
    }
  }
}
