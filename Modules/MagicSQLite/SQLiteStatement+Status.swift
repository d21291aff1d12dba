import CMagicSQLite

extension SQLiteStatement {
  /// How many rows were stepped over in scans of whole tables since this was last asked.
  package func takeFullScanSteps() -> Int {
    Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
  }
}
