import CMagicSQLite
import MagicRuntime

/// The SQL function with which triggers record rows before they change:
/// `magic_touch(number, first, second, exists, value, …)` records the row with a key in the table with a
/// number, with digests of the values if the row exists. It returns NULL.
extension SQLiteConnection {
  /// The name of the function.
  package static let touchFunction = "magic_touch"
  /// The maximum number of values that one call records.
  package static let maxDigests = 60

  /// Defines the function on this connection.
  ///
  /// - Returns: the recorded rows.
  package func defineTouchFunction() throws(SQLiteError) -> TouchedRows {
    _ = try pointer()
    let rows = TouchedRows()
    // Temporary triggers may call the function. The schema of the file must not: it could record rows
    // that have not changed.
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    // SQLite can call the function until the connection is closed.
    let owner = Unmanaged.passRetained(rows).toOpaque()
    let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { owner in
      if let owner { Unmanaged<TouchedRows>.fromOpaque(owner).release() }
    }
    try define(Self.touchFunction, flags, owner, destroy: release) { context, count, values in
      guard let values, count >= 4, let owner = sqlite3_user_data(context) else { return }
      let rows = Unmanaged<TouchedRows>.fromOpaque(owner).takeUnretainedValue()
      let exists = sqlite3_value_int(values[3]) != 0
      rows.record(
        table: Int(sqlite3_value_int64(values[0])), TouchedKey(values[1], values[2]),
        exists ? UnsafeBufferPointer(start: values + 4, count: Int(count) - 4) : nil)
    }
    return rows
  }
}
