/// Runs queries for values.
package protocol EngineSelections: AnyObject {
  /// Reads the rows of a query for values, in batches; no rows where the type has no table.
  ///
  /// - Parameter use: is called with each batch, whose values it may not keep.
  func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws

  /// How the query would be run.
  func plan(of query: PreparedQuery) throws -> StatementPlan
}
