import CMagicSQLite
import MagicRuntime

/// SQL functions of JSON text, which is stored as a blob. SQLite's own functions read a blob as
/// JSONB first since version 3.45, and fail if the text is not JSON.
extension SQLiteConnection {
  func defineJSONFunctions() throws(SQLiteError) {
    let flags = Self.queryFunctionFlags
    try define("magic_json_count", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 1) else { return }
      if let count = JSONScanner.count(call.bytes(0)) {
        sqlite3_result_int64(context, Int64(count))
      }
    }
    try define("magic_json_contains", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 2) else { return }
      sqlite3_result_int(context, JSONScanner.contains(call.bytes(0), call.bytes(1)) ? 1 : 0)
    }
    try define("magic_json_get", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 3),
        let kind = JSONKind(rawValue: Int(clamping: call.integer(2))),
        let member = JSONScanner.member(call.bytes(0), call.bytes(1))
      else { return }
      call.result.returnJSON(JSONValue(member).value(of: kind))
    }
  }
}

extension SQLiteFunctionResult {
  func returnJSON(_ value: JSONValue?) {
    switch value {
    case nil, .null: break
    case .bool(let bool): returnInteger(bool ? 1 : 0)
    case .integer(let integer): returnInteger(integer)
    case .real(let real): returnReal(real)
    case .text(let text) where text.hasEscapes:
      JSONValue.unescaped(text).withUnsafeBytes { returnText($0) }
    case .text(let text): returnText(text)
    case .container(let json): returnBlob(json)
    }
  }
}
