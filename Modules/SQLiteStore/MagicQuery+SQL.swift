import MagicEngine
public import MagicQuery
import SQLiteQueries

extension MagicQuery {
  /// The SQL of the query for objects, with parameters for its values, for a file whose tables have
  /// the current schemas of their types.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query.
  public var sql: String {
    get throws { try QueryRenderer.sql(of: PreparedQuery(Model.self, plan, .objects)) }
  }
}

extension MagicSelection {
  /// The SQL of the selection, with parameters for its values.
  ///
  /// - Throws: `MagicError`, with `.invalidQuery` for an invalid query.
  public var sql: String {
    get throws { try QueryRenderer.sql(of: PreparedQuery(Model.self, plan, .tuples)) }
  }
}
