import CMagicSQLite

/// Passes a connection's SQL to the log.
final class Tracer {
  private let log: @Sendable (String) -> Void
  private let showsValues: Bool
  /// Whether statements are not logged, because the library runs them at times that have nothing to
  /// do with a call.
  var isSilent = false

  init(showsValues: Bool, receive log: @escaping @Sendable (String) -> Void) {
    self.showsValues = showsValues
    self.log = log
  }

  func install(on pointer: OpaquePointer?) {
    sqlite3_trace_v2(
      pointer, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, sql in
        guard let context, let sql else { return 0 }
        Unmanaged<Tracer>.fromOpaque(context).takeUnretainedValue().receive(
          OpaquePointer(statement), sql)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Logs a statement that begins to run.
  func receive(_ statement: OpaquePointer?, _ sql: UnsafeMutableRawPointer) {
    guard !isSilent else { return }
    let template = sql.assumingMemoryBound(to: CChar.self)
    // For a statement of a trigger, SQLite passes a comment instead of its SQL.
    if showsValues, template[0] != CChar(UInt8(ascii: "-")),
      let expanded = sqlite3_expanded_sql(statement)
    {
      log(String(cString: expanded))
      sqlite3_free(expanded)
    } else {
      log(String(cString: template))
    }
  }
}
