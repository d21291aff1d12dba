import CMagicSQLite
import MagicRuntime

/// Two SQL functions for triggers that record the previous values of rows:
///
/// - `magic_digests(number, 1, value, …)` returns a blob of the digests of the values, and
///   `magic_digests(number, 0)` returns NULL. Both record that the table with this ID was touched.
/// - `magic_changes(digests, value, …)` returns a bit mask with a bit for each value that does not
///   have its recorded digest.
extension SQLiteConnection {
  /// The maximum number of values that one call compares.
  package static let maxDigests = 60

  /// Defines the functions on this connection.
  package func defineDigestFunctions() throws(SQLiteError) {
    let context = Unmanaged.passUnretained(handle).toOpaque()
    // A trigger may call an innocuous function even if the schema is not trusted.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    try define("magic_digests", flags, context) { context, count, values in
      guard let context, let values, count >= 2 else { return }
      if let owner = sqlite3_user_data(context) {
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(owner).takeUnretainedValue()
        handle.note(touched: Int(sqlite3_value_int64(values[0])))
      }
      guard sqlite3_value_int(values[1]) != 0 else { return sqlite3_result_null(context) }
      let digestCount = Int(count) - 2
      withUnsafeTemporaryAllocation(
        byteCount: digestCount * ValueDigest.size + 1, alignment: 1
      ) { bytes in
        guard let base = bytes.baseAddress else { return sqlite3_result_error_nomem(context) }
        for index in 0..<digestCount {
          ValueDigest(value: values[index + 2]).write(to: base + index * ValueDigest.size)
        }
        magic_sqlite3_result_blob_copy(
          context, base, Int32(truncatingIfNeeded: digestCount * ValueDigest.size))
      }
    }
    try define("magic_changes", flags, context) { context, count, values in
      guard let context, let values, count >= 1 else { return }
      let digests = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(values[0]), count: Int(sqlite3_value_bytes(values[0])))
      var changed: UInt64 = 0
      for index in 0..<(Int(count) - 1)
      where ValueDigest(digests, at: index) != ValueDigest(value: values[index + 1]) {
        changed |= 1 << UInt64(index)
      }
      sqlite3_result_int64(context, Int64(bitPattern: changed))
    }
  }

  /// Returns the IDs of the tables that were touched since the last call, in no defined order, and
  /// clears the list. Some of the writes may have been rolled back.
  package func takeTouchedTables() -> [Int] {
    defer { handle.touched.removeAll(keepingCapacity: true) }
    return handle.touched
  }

  /// Whether a table was touched since ``takeTouchedTables()``.
  package var hasTouchedTables: Bool { !handle.touched.isEmpty }

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

extension ConnectionHandle {
  fileprivate func note(touched number: Int) {
    if touched.last != number, !touched.contains(number) { touched.append(number) }
  }
}
