import CPostgreSQL

/// Streams of messages in both directions, and waits that a signal ends.
extension PostgreSQLConnection {
  /// Waits until the connection has input, a signal arrives, or the time is over.
  package func wait(_ wakeup: Wakeup, milliseconds: Int) throws(PostgreSQLError) {
    _ = magic_wait(try open(), wakeup.descriptor, Int32(clamping: milliseconds))
    wakeup.clear()
  }

  /// Reads the input that has arrived, without waiting.
  ///
  /// - Throws: ``PostgreSQLError`` with `.connectionLost`.
  package func consumeInput() throws(PostgreSQLError) {
    guard magic_PQconsumeInput(try open()) == 1 else { throw connectionError(sql: nil) }
  }

  /// Returns whether notifications have arrived since the last call.
  package func takeNotifications() throws(PostgreSQLError) -> Bool {
    try consumeInput()
    let pointer = try open()
    var hasAny = false
    while magic_take_notification(pointer) == 1 { hasAny = true }
    return hasAny
  }

  /// Runs SQL that may take long. Returns nil, and cancels the statement, when a signal arrives and
  /// the caller wants to end.
  package func execute(
    _ sql: String, until wakeup: Wakeup, mustEnd: () -> Bool
  ) throws(PostgreSQLError) -> PostgreSQLResult? {
    let pointer = try open()
    trace?(sql)
    guard magic_PQsendQuery(pointer, sql) == 1 else { throw connectionError(sql: sql) }
    while true {
      try consumeInput()
      guard magic_PQisBusy(pointer) != 0 else { return try onlyResult(sql) }
      if mustEnd() {
        cancel()
        return nil
      }
      try wait(wakeup, milliseconds: 500)
    }
  }

  /// Calls a body with the next message of the stream that the last statement has started. The bytes
  /// are valid during the call.
  ///
  /// - Returns: false if no message has arrived completely.
  /// - Throws: the errors of the body; ``PostgreSQLError`` if the stream has ended.
  package func receive(_ use: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    var bytes: UnsafeMutablePointer<CChar>?
    let count = magic_PQgetCopyData(try open(), &bytes, 1)
    guard count != 0 else { return false }
    guard count > 0, let bytes else {
      // The result says why the stream has ended.
      _ = try onlyResult(nil)
      throw PostgreSQLError(.connectionLost, "The server has ended the stream.")
    }
    defer { magic_PQfreemem(bytes) }
    try use(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    return true
  }

  /// Sends a message.
  package func send(message bytes: [UInt8]) throws(PostgreSQLError) {
    let pointer = try open()
    let code = bytes.withUnsafeBytes { message in
      magic_PQputCopyData(
        pointer, message.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(truncatingIfNeeded: message.count))
    }
    guard code == 1, magic_PQflush(pointer) == 0 else { throw connectionError(sql: nil) }
  }
}
