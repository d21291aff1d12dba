import CMagicSQLite
import MagicRuntime

/// Sums over windows whose first row moves. SQLite's own functions subtract a number that leaves the
/// frame: the digits that a larger number has displaced are lost, and infinity minus infinity is NaN.
///
/// - `magic_sum(number)`: the sum as a floating-point number; 0 without numbers.
/// - `magic_average(number)`: the average; NULL without numbers.
extension SQLiteConnection {
  func defineSums() throws(SQLiteError) {
    try defineSum("magic_sum") { context in
      context.map { SQLiteSumCall($0) }?.returnResult { $0 == nil ? 0 : $0?.value }
    }
    try defineSum("magic_average") { context in
      context.map { SQLiteSumCall($0) }?.returnResult { $0?.average }
    }
  }

  private func defineSum(
    _ name: String, _ result: @escaping @convention(c) (OpaquePointer?) -> Void
  ) throws(SQLiteError) {
    let code = sqlite3_create_window_function(
      try pointer(), name, 1, Self.queryFunctionFlags, nil,
      { context, _, values in SQLiteSumCall(context, values)?.add() }, result, result,
      { context, _, values in SQLiteSumCall(context, values)?.add(removes: true) }, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

/// A call of a function of a sum.
private struct SQLiteSumCall {
  private let context: OpaquePointer
  private let value: OpaquePointer?

  init(_ context: OpaquePointer) { (self.context, value) = (context, nil) }

  /// Returns nil if the value is NULL.
  init?(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let context, let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else {
      return nil
    }
    (self.context, self.value) = (context, value)
  }

  func add(removes: Bool = false) {
    guard let memory = sqlite3_aggregate_context(context, Int32(ExactSum.byteCount)) else {
      return sqlite3_result_error_nomem(context)
    }
    if sqlite3_value_type(value) == SQLITE_INTEGER {
      ExactSum(memory).add(sqlite3_value_int64(value), removes: removes)
    } else {
      ExactSum(memory).add(sqlite3_value_double(value), removes: removes)
    }
  }

  /// - Parameter result: called with nil if there were no values.
  func returnResult(_ result: (ExactSum?) -> Double?) {
    let sum = sqlite3_aggregate_context(context, 0).map { ExactSum($0) }
    if let real = result(sum) { sqlite3_result_double(context, real) }
  }
}
