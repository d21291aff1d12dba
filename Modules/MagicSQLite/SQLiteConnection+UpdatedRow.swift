import CMagicSQLite

extension SQLiteConnection {
  /// Runs an UPDATE to its end, and resets it.
  ///
  /// - Returns: the row ID of the updated row; nil if no row or several rows were updated. Rows
  ///   that triggers updated are included.
  package func keyOfUpdatedRow(by update: SQLiteStatement) throws(SQLiteError) -> Int64? {
    guard handle.pointer != nil else { throw .closed() }
    handle.updatedRow = (0, 0)
    let isTemporary = handle.changedRows == nil
    if isTemporary { handle.installUpdateHook() }
    defer { if isTemporary { handle.removeUpdateHook() } }
    try update.run()
    return handle.updatedRow.count == 1 ? handle.updatedRow.key : nil
  }
}
