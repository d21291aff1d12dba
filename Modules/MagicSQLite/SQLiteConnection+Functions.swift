import CMagicSQLite
import MagicRuntime

/// SQL functions that compute as Swift does. Each returns NULL if its first value is NULL.
///
/// - `magic_lower(text)`, `magic_upper(text)`: the text in lower or upper case.
/// - `magic_count(text)`: the number of characters.
/// - `magic_prefix(text, count)`: the first characters.
/// - `magic_trim(text)`: the text without white space at both ends.
/// - `magic_round(number)`: the nearest whole number.
/// - `magic_int(number)`: the number without its fraction. Fails if it is out of range.
/// - `magic_add(number, other)`, `magic_subtract`, `magic_multiply`, `magic_divide`: the result of an
///   operation. Fails if a result of integers is out of range.
/// - `magic_sum(number)`, `magic_average(number)`: functions of windows whose first row moves.
/// - `magic_date_part(date, unit, zone)`: a component of a date. `unit` is a `DateUnit`, and `zone`
///   a list of ``ZoneOffsets``; without it the time zone is UTC.
/// - `magic_date_start(date, unit, zone)`: the beginning of the unit that contains a date.
/// - `magic_date_add(date, count, unit, zone)`: the date after a number of units.
///
/// - `magic_json_count(json)`: the number of elements of an array or members of an object.
/// - `magic_json_contains(json, element)`: whether an array contains an element, given as JSON.
/// - `magic_json_get(json, key, kind)`: the value of a member of an object, if it is of a `JSONKind`.
/// - `magic_percentile(number, fraction)`: an aggregate.
/// - `magic_distance(vector, other, metric)`: the distance of two vectors, by a `VectorMetric`. It is
///   infinite, and not NULL, if one of them is not a vector.
///
/// A schema must not use them, because other programs do not have them.
extension SQLiteConnection {
  func defineQueryFunctions() throws(SQLiteError) {
    try defineTextFunctions()
    try defineNumberFunctions()
    try defineArithmetic()
    try defineDateFunctions()
    try defineJSONFunctions()
    try defineJSONElements()
    try defineSums()
    try definePercentiles()
    try defineDistances()
  }

  static let queryFunctionFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

  private func defineTextFunctions() throws(SQLiteError) {
    let flags = Self.queryFunctionFlags
    try define("magic_lower", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      TextComputation.withCase(true, of: call.text) { call.result.returnText($0) }
    }
    try define("magic_upper", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      TextComputation.withCase(false, of: call.text) { call.result.returnText($0) }
    }
    try define("magic_count", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      sqlite3_result_int64(context, Int64(TextComputation.count(call.text)))
    }
    try define("magic_prefix", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 2) else { return }
      let text = call.text
      let end = TextComputation.prefix(text, Int(clamping: call.integer(1)))
      call.result.returnText(UnsafeRawBufferPointer(rebasing: text[..<end]))
    }
    try define("magic_trim", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      let text = call.text
      call.result.returnText(UnsafeRawBufferPointer(rebasing: text[TextComputation.trimmed(text)]))
    }
  }

  private func defineNumberFunctions() throws(SQLiteError) {
    let flags = Self.queryFunctionFlags
    try define("magic_round", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      if call.isInteger(0) {
        sqlite3_result_int64(context, call.integer(0))
      } else {
        sqlite3_result_double(context, call.real.rounded())
      }
    }
    try define("magic_int", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      if call.isInteger(0) {
        sqlite3_result_int64(context, call.integer(0))
      } else if let integer = NumberComputation.integer(call.real) {
        sqlite3_result_int64(context, integer)
      } else {
        call.result.returnOverflow()
      }
    }
  }

  private func defineDateFunctions() throws(SQLiteError) {
    let flags = Self.queryFunctionFlags
    try define("magic_date_part", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 2), let unit = call.unit(1)
      else { return }
      let part = DateComputation(call.zone(2)).component(unit, of: call.real)
      if let part { sqlite3_result_int64(context, part) }
    }
    try define("magic_date_start", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 2), let unit = call.unit(1)
      else { return }
      let start = DateComputation(call.zone(2)).start(of: unit, call.real)
      if let start { sqlite3_result_double(context, start) }
    }
    try define("magic_date_add", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 3), let unit = call.unit(2),
        !call.isNull(1)
      else { return }
      let date = DateComputation(call.zone(3)).adding(call.integer(1), unit, to: call.real)
      if let date { sqlite3_result_double(context, date) }
    }
  }
}

/// The context and the values of a call of an SQL function.
struct SQLiteFunctionCall {
  let result: SQLiteFunctionResult
  private let values: UnsafeMutablePointer<OpaquePointer?>
  private let count: Int

  /// Returns nil if there are fewer values than required, or the first is NULL. The result of the
  /// function is then NULL.
  init?(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ required: Int
  ) {
    guard let context, let values, count >= required else { return nil }
    result = SQLiteFunctionResult(context: context)
    (self.values, self.count) = (values, Int(count))
    if isNull(0) { return nil }
  }

  func isNull(_ index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_NULL }

  func isInteger(_ index: Int) -> Bool { sqlite3_value_type(values[index]) == SQLITE_INTEGER }

  /// The first value as a floating-point number.
  var real: Double { real(0) }

  func real(_ index: Int) -> Double { sqlite3_value_double(values[index]) }

  /// The first value as a text.
  var text: UnsafeRawBufferPointer {
    let start = sqlite3_value_text(values[0])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[0])))
  }

  func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

  /// A text or blob.
  func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(values[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
  }

  func unit(_ index: Int) -> DateUnit? { DateUnit(rawValue: Int(clamping: integer(index))) }

  /// The time zone in an optional value.
  func zone(_ index: Int) -> ZoneOffsets {
    guard index < count else { return ZoneOffsets(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return ZoneOffsets(bytes(index))
  }
}

/// The result of an SQL function, or the value of a column of a virtual table.
struct SQLiteFunctionResult {
  let context: OpaquePointer

  /// Fails with the error of SQLite's own functions.
  func returnOverflow() { sqlite3_result_error(context, "integer overflow", -1) }

  func returnInteger(_ integer: Int64) { sqlite3_result_int64(context, integer) }

  func returnReal(_ real: Double) { sqlite3_result_double(context, real) }

  /// Returns a blob, which is not empty.
  func returnBlob(_ bytes: UnsafeRawBufferPointer) {
    magic_sqlite3_result_blob_copy(
      context, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
  }

  func returnText(_ bytes: UnsafeRawBufferPointer) {
    // The text of an empty buffer has no address, and would be NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return magic_sqlite3_result_text_copy(context, "", 0)
    }
    magic_sqlite3_result_text_copy(context, start, Int32(truncatingIfNeeded: bytes.count))
  }
}

extension SQLiteConnection {
  /// Defines a scalar function with any number of arguments.
  ///
  /// - Parameter destroy: called with the context when SQLite does not need it any more, also after an
  ///   error of SQLite.
  func define(
    _ name: String, _ flags: Int32, _ context: UnsafeMutableRawPointer?,
    destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil,
    _ function:
      @escaping @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) throws(SQLiteError) {
    let code = sqlite3_create_function_v2(
      try pointer(), name, -1, flags, context, function, nil, nil, destroy)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }
}
