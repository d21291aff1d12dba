import MagicEngine
public import MagicQuery
import SQLiteQueries

extension MagicQuery {
  /// The SQL of the query for objects, with places for its values, as it is for a file whose
  /// tables have the types' shapes.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense.
  public var sql: String {
    get throws { try QueryRenderer.sql(of: PreparedQuery(Model.self, plan, .objects)) }
  }
}

extension MagicSelection {
  /// The SQL of the selection, with places for its values.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for a query that makes no sense.
  public var sql: String {
    get throws { try QueryRenderer.sql(of: PreparedQuery(Model.self, plan, .tuples)) }
  }
}
