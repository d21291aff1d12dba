package import MagicEngine
import MagicSQLite
package import SQLiteEngine

extension StoreConnection {
  /// Calls a closure with batches of the rows of a query that selects values. It is not called if
  /// the type has no table.
  package func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws {
    guard try query.plan.combined != nil || hasTable(of: query.schema) else { return }
    try run(query) { statement in
      let limit = query.result.isOneRow ? 1 : Int.max
      _ = try readBatches(of: statement, limit: limit) { rows, _ in try use(rows) }
    }
  }
}

extension QueryResult {
  /// Whether the statement returns at most one row, so that no further step is needed.
  fileprivate var isOneRow: Bool {
    switch self {
    case .count, .exists, .tupleCount, .aggregates: true
    case .objects, .rowIDs, .tuples, .page, .delete, .update: false
    }
  }
}
