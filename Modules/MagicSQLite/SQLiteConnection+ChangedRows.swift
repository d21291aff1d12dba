extension SQLiteConnection {
  /// The recorded rows; nil before ``recordChangedRows()``.
  package var changedRows: ChangedRows? { handle.changedRows }

  /// Makes the connection record changed rows, between ``ChangedRows/begin()`` and
  /// ``ChangedRows/end()``.
  package func recordChangedRows() -> ChangedRows {
    if let known = handle.changedRows { return known }
    let rows = ChangedRows()
    handle.changedRows = rows
    handle.installUpdateHook()
    return rows
  }
}
