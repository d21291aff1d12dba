/// Runs queries for values.
package protocol EngineSelections: AnyObject {
  /// Reads the rows of a query for values, in batches. There are no rows if the type has no table.
  ///
  /// - Parameter use: receives each batch. The values of a batch are valid only during the call.
  func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws

  /// Returns the plan by which the query would be run.
  func plan(of query: PreparedQuery) throws -> StatementPlan
}
