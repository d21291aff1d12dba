import CMagicSQLite
import MagicRuntime

/// The function `magic_distance(vector, other, metric)`.
extension SQLiteConnection {
  func defineDistances() throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      try pointer(), "magic_distance", 3, Self.queryFunctionFlags, nil,
      { context, _, values in
        guard let context, let values,
          let metric = VectorMetric(rawValue: Int(sqlite3_value_int(values[2])))
        else { return }
        let distance = VectorComputation.distance(vector(values[0]), vector(values[1]), metric)
        sqlite3_result_double(context, distance)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

/// The bytes of a blob; empty for any other value, and for a blob for which there is no memory.
private func vector(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
  guard sqlite3_value_type(value) == SQLITE_BLOB, let start = sqlite3_value_blob(value) else {
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}
