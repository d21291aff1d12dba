import CPostgreSQL

/// Statements that share a round trip.
extension PostgreSQLConnection {
  /// Sends statements without waiting for their results, and then reads the results.
  ///
  /// - Parameters:
  ///   - statements: the statements that the body sends. They are prepared first.
  ///   - body: sends statements with the function that it receives.
  /// - Returns: the results, in the order of the statements.
  /// - Throws: the errors of the body; ``PostgreSQLError`` with `.unexpected`, as ``finishDeferred()``, and
  ///   of the first statement that failed, with its `position`. The statements after it have not run.
  package func pipelining(
    _ statements: [PostgreSQLStatement],
    _ body: (_ send: (PostgreSQLStatement, PostgreSQLFields?) throws -> Void) throws -> Void
  ) throws -> [PostgreSQLResult] {
    // The deferred statements share the round trip if they can.
    if !statements.allSatisfy(canDefer) { try finishDeferred() }
    for statement in statements { try prepare(statement) }
    let pointer = try open()
    let earlier = deferred
    deferred.removeAll(keepingCapacity: true)
    guard !earlier.isEmpty || magic_PQenterPipelineMode(pointer) == 1 else {
      throw connectionError(sql: nil)
    }
    defer { if !isLost { _ = magic_PQexitPipelineMode(pointer) } }
    var sent = earlier
    var failure: (any Error)?
    do {
      try body { statement, fields in
        try prepareIsDone(statement)
        try self.send(statement, fields)
        sent.append(Deferred(statement))
      }
    } catch {
      failure = error
    }
    // The results of what was sent are read even after an error, so that the connection can be used.
    guard magic_PQpipelineSync(pointer) == 1 else { throw failure ?? connectionError(sql: nil) }
    let received = Result { try results(of: sent) }
    if let failure { throw failure }
    return Array(try received.get().dropFirst(earlier.count))
  }

  private func prepareIsDone(_ statement: PostgreSQLStatement) throws(PostgreSQLError) {
    guard isReady(statement) else {
      throw PostgreSQLError(.misuse, "The statement of the pipeline is not prepared.")
    }
  }

  /// Reads the results of a pipeline, up to its end.
  ///
  /// - Throws: ``PostgreSQLError`` with `.unexpected` if a result is not the one that was assumed, because
  ///   later statements may have failed for that reason; else of the first statement that failed.
  func results(of sent: [Deferred]) throws(PostgreSQLError) -> [PostgreSQLResult] {
    var results: [PostgreSQLResult] = []
    results.reserveCapacity(sent.count)
    var (unexpected, failure): (PostgreSQLError?, PostgreSQLError?) = (nil, nil)
    var position = 0
    while !isLost {
      // The results of each statement end with nil.
      guard let pointer = magic_PQgetResult(try open()) else {
        position += 1
        guard position <= sent.count else { break }
        continue
      }
      let result = PostgreSQLResult(pointer)
      switch Int(magic_PQresultStatus(pointer)) {
      case magic_result_pipeline_sync:
        if let error = unexpected ?? failure { throw error }
        return results
      case magic_result_command_ok, magic_result_tuples_ok, magic_result_empty_query:
        if position < sent.count, !sent[position].isExpected(result) {
          unexpected = unexpected ?? Self.unexpected
        }
        results.append(result)
      case magic_result_pipeline_aborted: break
      default:
        guard failure == nil else { continue }
        failure = failed(pointer, position < sent.count ? sent[position].statement.sql : nil)
        failure?.position = position
      }
    }
    throw failure ?? connectionError(sql: nil)
  }

  private static let unexpected = PostgreSQLError(
    .unexpected, "A deferred statement has another result than assumed.")
}
