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
    let rows = TouchedRows()
    // A trigger may call an innocuous function even if the schema is not trusted.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    try define(Self.touchFunction, flags, Unmanaged.passUnretained(rows).toOpaque()) {
      context, count, values in
      guard let values, count >= 4, let owner = sqlite3_user_data(context) else { return }
      let rows = Unmanaged<TouchedRows>.fromOpaque(owner).takeUnretainedValue()
      let exists = sqlite3_value_int(values[3]) != 0
      rows.record(
        table: Int(sqlite3_value_int64(values[0])), TouchedKey(values[1], values[2]),
        exists ? UnsafeBufferPointer(start: values + 4, count: Int(count) - 4) : nil)
    }
    // SQLite can call the function until the connection is closed.
    handle.touchedRows = rows
    return rows
  }

  func define(
    _ name: String, _ flags: Int32, _ context: UnsafeMutableRawPointer?,
    _ function:
      @escaping @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      try pointer(), name, -1, flags, context, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}
