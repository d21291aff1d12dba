import MagicEngine
import MagicSchema
package import MagicSQLite

extension StoreConnection {
  /// Goes through a statement's rows.
  package func each(_ select: SQLiteStatement, _ row: (SQLiteStatement) throws -> Void) throws {
    defer { select.reset() }
    var cancellation = CancellationCheck()
    while try select.step() {
      try row(select)
      try cancellation.count()
    }
  }
}
