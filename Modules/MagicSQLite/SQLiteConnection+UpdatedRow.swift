import CMagicSQLite

extension SQLiteConnection {
  /// Runs an UPDATE to its end, and resets it.
  ///
  /// - Returns: the row ID of the updated row; nil if no row or several rows were updated. Rows
  ///   that triggers updated are included.
  package func keyOfUpdatedRow(by update: SQLiteStatement) throws(SQLiteError) -> Int64? {
    guard let pointer = handle.pointer else { throw .closed() }
    handle.updatedRow = (0, 0)
    sqlite3_update_hook(
      pointer,
      { context, _, _, _, key in
        guard let context else { return }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        handle.updatedRow = (key, handle.updatedRow.count + 1)
      }, Unmanaged.passUnretained(handle).toOpaque())
    defer { sqlite3_update_hook(pointer, nil, nil) }
    try update.run()
    return handle.updatedRow.count == 1 ? handle.updatedRow.key : nil
  }
}
