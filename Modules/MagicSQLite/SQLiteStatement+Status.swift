import CMagicSQLite

extension SQLiteStatement {
  /// Returns the number of steps in full table scans since the last call, and resets it.
  package func takeFullScanSteps() -> Int {
    Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
  }
}
