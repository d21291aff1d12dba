import CMagicSQLite

extension ConnectionHandle {
  func installUpdateHook() {
    guard let pointer else { return }
    sqlite3_update_hook(
      pointer,
      { context, operation, _, table, rowID in
        guard let context, let table else { return }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        handle.updatedRow = (rowID, handle.updatedRow.count + 1)
        handle.changedRows?.note(operation, table, rowID)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func removeUpdateHook() {
    guard let pointer else { return }
    sqlite3_update_hook(pointer, nil, nil)
  }
}
