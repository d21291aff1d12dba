package import MagicEngine
import MagicSQLite
package import MagicSchema
package import SQLiteEngine

/// The SQL of a query for one file, which is compiled but not run.
package struct RenderedQuery {
  package let sql: String
  /// The types that the SQL names.
  package let types: [ObjectSchema]
  /// The types whose table, or the join table of one of whose collections, is missing in the file.
  package let incompleteTypes: [ObjectSchema]
}

extension StoreConnection {
  /// Returns the SQL of a query. Creates the temporary tables of its lists, without rows, because
  /// SQLite can compile the SQL only if they exist.
  package func rendered(_ query: PreparedQuery) throws -> RenderedQuery {
    try makeListTables(query.values)
    var types: [ObjectSchema] = []
    var incomplete: [ObjectSchema] = []
    let (sql, _, _) = try QueryRenderer.render(query, QueryVariant(of: query)) { schema in
      let table = try self.queryTable(of: schema)
      types.append(schema)
      if table.name == nil || table.links.contains(where: { !$0.exists }) {
        incomplete.append(schema)
      }
      return table
    }
    return RenderedQuery(sql: sql, types: types, incompleteTypes: incomplete)
  }

  /// Returns the query plan of a query. The plan does not depend on the values.
  package func plan(of query: PreparedQuery) throws -> StatementPlan {
    try connection.snapshot {
      let rendered = try rendered(query)
      return try plan(
        of: rendered.sql, types: rendered.types, limitedRowsDepth: query.limitedRowsDepth)
    }
  }
}
