package import MagicEngine
import MagicSQLite
package import SQLiteEngine

extension StoreConnection {
  /// Reads the rows of a query for values, in batches; no rows where the type has no table.
  package func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws {
    guard try hasTable(of: query.schema) else { return }
    try run(query) { statement in
      _ = try readBatches(of: statement) { rows, _ in try use(rows) }
    }
  }
}
