import CPostgreSQL

/// Statements that one thread sends, and whose results another thread reads. The first thread does not
/// wait for the server.
extension PostgreSQLConnection {
  /// The maximum size of the parameters of a statement, so that many statements fit into the memory of
  /// a socket.
  private static var largestAhead: Int { 1024 }

  /// Adds a statement to those that ``flushAhead()`` sends. The same statement with several values runs
  /// as one, if it can.
  ///
  /// - Throws: ``PostgreSQLError`` with `.misuse` if the statement is not prepared, or if its
  ///   parameters are large. The connection is then unchanged.
  package func sendAhead(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields
  ) throws(PostgreSQLError) {
    takeArrivedEnd()
    guard prepared.contains(statement.number), deferred.isEmpty, deferredCopy == nil,
      parameters.byteCount <= Self.largestAhead
    else { throw .mustNotWait() }
    try parameters.checkSizes(areParameters: true)
    if let together = statement.together, prepared.contains(together.number) {
      _ = try open()
      return ahead.add(statement, together, parameters)
    }
    try sendInPipeline(statement, parameters)
    ahead.addSent(statement)
  }

  private func sendInPipeline(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields
  ) throws(PostgreSQLError) {
    let pointer = try open()
    let isFirst = !ahead.isPipelining
    if isFirst, magic_PQenterPipelineMode(pointer) != 1 {
      throw connectionError(sql: statement.sql)
    }
    do {
      try send(statement, parameters)
    } catch {
      if isFirst, !isLost { _ = magic_PQexitPipelineMode(pointer) }
      throw error
    }
    ahead.isPipelining = true
  }

  /// Sends the statements that were added. After an error, the connection is closed: the server would not
  /// answer those that were sent.
  package func flushAhead() throws(PostgreSQLError) {
    do throws(PostgreSQLError) {
      for group in ahead.groups { try send(group) }
      guard magic_PQpipelineSync(try open()) == 1 else { throw connectionError(sql: nil) }
    } catch {
      close()
      throw error
    }
  }

  private func send(_ group: StatementsAhead.Group) throws(PostgreSQLError) {
    guard !group.hasOneValue else { return try sendInPipeline(group.statement, group.values) }
    let parameters = PostgreSQLFields()
    parameters.append(arrayOf: group.statement.types[0], group.values)
    try sendInPipeline(group.together, parameters)
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
    ahead = StatementsAhead()
    guard !sent.isEmpty else { return [] }
    let results = try endPipeline(of: sent)
    // The answers are valid without it. A lost connection is reported by the next call.
    for statement in sent.unprepared { _ = Result { try prepare(statement) } }
    return sent.results(results)
  }

  private func endPipeline(
    of sent: StatementsAhead
  ) throws(PostgreSQLError) -> [PostgreSQLResult] {
    let pointer = try open()
    defer { if !isLost { _ = magic_PQexitPipelineMode(pointer) } }
    return try results(of: sent.sent.map { Deferred($0) })
  }
}

extension PostgreSQLError {
  /// A call that would wait for the server, on a thread that must not wait.
  static func mustNotWait() -> PostgreSQLError {
    PostgreSQLError(.misuse, "The call waits for the server, which its thread must not do.")
  }
}
