import CMagicSQLite
import MagicRuntime

/// The aggregate `magic_percentile(number, fraction)`: the number below which a part of the numbers
/// of a group is. NULL is ignored. The result is NULL if there are no numbers.
///
/// The numbers of a group are in memory, as SQLite's own sort of the group would be.
extension SQLiteConnection {
  func definePercentiles() throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      try pointer(), "magic_percentile", 2, Self.queryFunctionFlags, nil, nil,
      { context, count, values in
        guard let call = SQLiteFunctionCall(context, count, values, 2) else { return }
        guard let group = PercentileGroup.of(context, isNew: true) else {
          return sqlite3_result_error_nomem(context)
        }
        group.numbers.append(call.real)
        group.fraction = call.real(1)
      },
      { context in
        // SQLite calls this function once for each group, also when the statement is interrupted.
        guard let group = PercentileGroup.of(context, isNew: false) else { return }
        Unmanaged.passUnretained(group).release()
        let result = PercentileComputation.percentile(group.fraction, of: &group.numbers)
        if let result { sqlite3_result_double(context, result) }
      }, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}

/// The numbers of a group.
private final class PercentileGroup {
  var numbers: [Double] = []
  var fraction = 0.0

  /// Returns the group of an aggregate's context, which retains it; nil if there is none, or not
  /// enough memory.
  static func of(_ context: OpaquePointer?, isNew: Bool) -> PercentileGroup? {
    let size = isNew ? Int32(MemoryLayout<UnsafeRawPointer?>.size) : 0
    guard let memory = sqlite3_aggregate_context(context, size) else { return nil }
    let place = memory.assumingMemoryBound(to: UnsafeRawPointer?.self)
    if let group = place.pointee {
      return Unmanaged<PercentileGroup>.fromOpaque(group).takeUnretainedValue()
    }
    guard isNew else { return nil }
    let group = PercentileGroup()
    place.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
    return group
  }
}
