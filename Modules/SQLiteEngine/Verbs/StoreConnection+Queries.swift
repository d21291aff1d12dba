import MagicEngine
import MagicSchema
package import MagicSQLite

extension StoreConnection {
  /// Calls a closure for each row of a statement.
  package func each(_ select: SQLiteStatement, _ row: (SQLiteStatement) throws -> Void) throws {
    defer { select.reset() }
    var cancellation = CancellationCheck()
    while try select.step() {
      try row(select)
      try cancellation.count()
    }
  }
}
