import CMagicSQLite
import MagicRuntime

/// Two functions for triggers that take down what rows were:
///
/// - `magic_marks(number, 1, value, …)` is a blob of the values' marks, `magic_marks(number, 0)` is
///   NULL; both note that the table with the number was touched.
/// - `magic_changes(marks, value, …)` has a bit for each value that is not what its mark says.
extension SQLiteConnection {
  /// The most values that one call compares.
  package static let mostMarks = 60

  /// Defines the functions on this connection.
  package func defineMarks() throws(SQLiteError) {
    let context = Unmanaged.passUnretained(handle).toOpaque()
    // A function that a trigger may call although the schema is not trusted.
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    try define("magic_marks", flags, context) { context, count, values in
      guard let context, let values, count >= 2 else { return }
      if let owner = sqlite3_user_data(context) {
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(owner).takeUnretainedValue()
        handle.note(touched: Int(sqlite3_value_int64(values[0])))
      }
      guard sqlite3_value_int(values[1]) != 0 else { return sqlite3_result_null(context) }
      let marked = Int(count) - 2
      withUnsafeTemporaryAllocation(
        byteCount: marked * ValueDigest.size + 1, alignment: 1
      ) { bytes in
        guard let base = bytes.baseAddress else { return sqlite3_result_error_nomem(context) }
        for index in 0..<marked {
          ValueDigest(value: values[index + 2]).write(to: base + index * ValueDigest.size)
        }
        magic_sqlite3_result_blob_copy(
          context, base, Int32(truncatingIfNeeded: marked * ValueDigest.size))
      }
    }
    try define("magic_changes", flags, context) { context, count, values in
      guard let context, let values, count >= 1 else { return }
      let marks = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(values[0]), count: Int(sqlite3_value_bytes(values[0])))
      var changed: UInt64 = 0
      for index in 0..<(Int(count) - 1)
      where ValueDigest(marks, at: index) != ValueDigest(value: values[index + 1]) {
        changed |= 1 << UInt64(index)
      }
      sqlite3_result_int64(context, Int64(bitPattern: changed))
    }
  }

  /// The numbers of the tables that were touched since this was last asked, in no order; of those
  /// that were, some may have been taken back.
  package func takeTouched() -> [Int] {
    defer { handle.touched.removeAll(keepingCapacity: true) }
    return handle.touched
  }

  /// Whether a table was touched since ``takeTouched()``.
  package var isTouched: Bool { !handle.touched.isEmpty }

  private func define(
    _ name: String, _ flags: Int32, _ context: UnsafeMutableRawPointer,
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
