import CPostgreSQL

/// Statements that one thread sends, and whose results another thread reads. The first thread does not
/// wait for the server.
extension PostgreSQLConnection {
  /// The maximum size of the parameters of a statement, so that many statements fit into the memory of
  /// a socket.
  private static var largestAhead: Int { 1024 }

  /// Adds a statement to those that ``flushAhead()`` sends.
  ///
  /// - Throws: ``PostgreSQLError`` with `.misuse` if the statement is not prepared, or if its
  ///   parameters are large. The connection is then unchanged.
  package func sendAhead(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields
  ) throws(PostgreSQLError) {
    guard prepared.contains(statement.number), deferred.isEmpty,
      parameters.byteCount <= Self.largestAhead
    else { throw .mustNotWait() }
    let pointer = try open()
    if ahead.isEmpty {
      guard magic_PQenterPipelineMode(pointer) == 1 else {
        throw connectionError(sql: statement.sql)
      }
    }
    do {
      try send(statement, parameters)
    } catch {
      if ahead.isEmpty, !isLost { _ = magic_PQexitPipelineMode(pointer) }
      throw error
    }
    ahead.append(statement)
  }

  /// Sends the statements that were added.
  package func flushAhead() throws(PostgreSQLError) {
    guard magic_PQpipelineSync(try open()) == 1 else { throw connectionError(sql: nil) }
  }

  /// Waits until the first answer arrives, or the time is over.
  ///
  /// - Returns: false if the time is over.
  @discardableResult
  package func waitForAnswer(milliseconds: Int) -> Bool {
    guard let pointer = try? open(), magic_PQisBusy(pointer) != 0 else { return true }
    // There is no signal that ends the wait.
    return magic_wait(pointer, -1, Int32(clamping: milliseconds)) != 0
  }

  /// Reads the results of the statements that were sent ahead, in their order.
  ///
  /// - Throws: ``PostgreSQLError`` of the first statement that failed. The statements after it have not
  ///   run.
  package func takeResultsAhead() throws(PostgreSQLError) -> [PostgreSQLResult] {
    let sent = ahead
    ahead.removeAll(keepingCapacity: true)
    guard !sent.isEmpty else { return [] }
    let pointer = try open()
    defer { if !isLost { _ = magic_PQexitPipelineMode(pointer) } }
    return try results(of: sent)
  }
}

extension PostgreSQLError {
  /// A call that would wait for the server, on a thread that must not wait.
  static func mustNotWait() -> PostgreSQLError {
    PostgreSQLError(.misuse, "The call waits for the server, which its thread must not do.")
  }
}
