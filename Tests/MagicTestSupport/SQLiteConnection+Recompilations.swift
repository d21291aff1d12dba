import CMagicSQLite
package import MagicSQLite

extension SQLiteConnection {
  /// How often SQLite has recompiled the statements that are open now.
  package var recompilations: Int {
    var count = 0
    var statement = sqlite3_next_stmt(handle.pointer, nil)
    while let current = statement {
      count += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_REPREPARE, 0))
      statement = sqlite3_next_stmt(handle.pointer, current)
    }
    return count
  }
}
